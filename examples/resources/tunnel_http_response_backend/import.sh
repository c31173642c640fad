# Import ID: the ID of the object.
terraform import tunnel_http_response_backend.maintenance bkdhr_3YNt0gWyXbJ2sKmP9vQfLhRcTde
