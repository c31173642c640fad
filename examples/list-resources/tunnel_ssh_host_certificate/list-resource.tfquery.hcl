# All SSH host certificates in the account.
list "tunnel_ssh_host_certificate" "all" {
  provider = tunnel
  limit    = 1000
}

# Certificates of one authority that are valid for a host.
list "tunnel_ssh_host_certificate" "bastion" {
  provider = tunnel

  config {
    principal                    = "bastion.example.com"
    ssh_certificate_authority_id = "sshca_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
