# Import ID: edge_id.
terraform import tunnel_tcp_edge_ip_restriction.internal edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde
