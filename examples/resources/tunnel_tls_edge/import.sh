# Import ID: the ID of the object.
terraform import tunnel_tls_edge.ingress edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde
