# Import ID: edge_id.
terraform import tunnel_tls_edge_backend.ingress edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde
