# Import ID: edge_id.
terraform import tunnel_tls_edge_ip_restriction.internal edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde
