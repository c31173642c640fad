# Import ID: the ID of the object.
terraform import tunnel_ssh_certificate_authority.hosts sshca_3YNt0gWyXbJ2sKmP9vQfLhRcTde
