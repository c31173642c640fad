import {
  to = tunnel_tcp_edge.ingress
  identity = {
    id = "edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
