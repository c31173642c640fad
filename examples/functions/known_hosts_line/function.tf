locals {
  # The public key of the SSH certificate authority.
  authority = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJUzir0o+wFaG6u5OUYXhr0ogeHCBJyZ27LfADDZyt0V"
}

# For ~/.ssh/known_hosts, or for /etc/ssh/ssh_known_hosts on every client.
output "known_hosts" {
  value = provider::tunnel::known_hosts_line(["*.example.com", "[bastion.example.com]:2222"], local.authority)
}
