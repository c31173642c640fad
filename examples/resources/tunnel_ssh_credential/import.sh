# Import ID: the ID of the object.
terraform import tunnel_ssh_credential.laptop sshcr_3YNt0gWyXbJ2sKmP9vQfLhRcTde
