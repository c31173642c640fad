# Import ID: the ID of the object.
terraform import tunnel_reserved_address.database ra_3YNt0gWyXbJ2sKmP9vQfLhRcTde
