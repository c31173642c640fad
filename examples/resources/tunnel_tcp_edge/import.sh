# Import ID: the ID of the object.
terraform import tunnel_tcp_edge.ingress edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde
