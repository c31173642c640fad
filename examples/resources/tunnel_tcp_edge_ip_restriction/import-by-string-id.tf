import {
  to = tunnel_tcp_edge_ip_restriction.internal
  id = "edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
