# The import id is the id.
terraform import tunnel_group_backend.web bkdtg_3YNt0gWyXbJ2sKmP9vQfLhRcTde
