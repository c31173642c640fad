# Import ID: the ID of the object. The token of the API key stays unknown.
terraform import tunnel_api_key.ci ak_3YNt0gWyXbJ2sKmP9vQfLhRcTde
