import {
  to = tunnel_tls_edge_backend.ingress
  identity = {
    edge_id = "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
