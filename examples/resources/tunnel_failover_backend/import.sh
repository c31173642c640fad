# Import ID: the ID of the object.
terraform import tunnel_failover_backend.web bkdfo_3YNt0gWyXbJ2sKmP9vQfLhRcTde
