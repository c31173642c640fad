# Import ID: the ID of the object.
terraform import tunnel_https_edge.shop edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde
