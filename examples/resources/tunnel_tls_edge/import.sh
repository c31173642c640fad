# The import id is the id of the object.
terraform import tunnel_tls_edge.ingress edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde
