import {
  to = tunnel_ssh_credential.laptop
  identity = {
    id = "sshcr_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
