# Import ID: the ID of the object.
terraform import tunnel_group_backend.web bkdtg_3YNt0gWyXbJ2sKmP9vQfLhRcTde
