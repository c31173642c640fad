# Import ID: the ID of the object.
terraform import tunnel_ssh_host_certificate.bastion shcrt_3YNt0gWyXbJ2sKmP9vQfLhRcTde
