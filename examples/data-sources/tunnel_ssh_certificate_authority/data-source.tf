data "tunnel_ssh_certificate_authority" "hosts" {
  id = "sshca_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "public_key" {
  value = data.tunnel_ssh_certificate_authority.hosts.public_key
}
