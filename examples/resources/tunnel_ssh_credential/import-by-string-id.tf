import {
  to = tunnel_ssh_credential.laptop
  id = "sshcr_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
