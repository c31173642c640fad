data "tunnel_ssh_credential" "alice" {
  id = "sshcr_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "fingerprint" {
  value = provider::tunnel::ssh_fingerprint(data.tunnel_ssh_credential.alice.public_key)
}
