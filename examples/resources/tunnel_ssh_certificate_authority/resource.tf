resource "tunnel_ssh_certificate_authority" "hosts" {
  description = "Signs the keys of SSH hosts"
}

# Line for known_hosts that makes clients trust all hosts of the authority.
output "known_hosts_line" {
  value = provider::tunnel::known_hosts_line(["*.example.com"], tunnel_ssh_certificate_authority.hosts.public_key)
}
