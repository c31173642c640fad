# Import ID: the ID of the object.
terraform import tunnel_reserved_domain.portal rd_3YNt0gWyXbJ2sKmP9vQfLhRcTde
