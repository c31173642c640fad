# Import ID: edge_id.
terraform import tunnel_tcp_edge_policy.ssh edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde
