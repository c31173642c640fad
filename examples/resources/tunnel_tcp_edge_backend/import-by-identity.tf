import {
  to = tunnel_tcp_edge_backend.ingress
  identity = {
    edge_id = "edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
