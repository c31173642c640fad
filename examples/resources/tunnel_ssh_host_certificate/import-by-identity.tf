import {
  to = tunnel_ssh_host_certificate.bastion
  identity = {
    id = "shcrt_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
