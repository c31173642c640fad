import {
  to = tunnel_ssh_certificate_authority.hosts
  identity = {
    id = "sshca_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
