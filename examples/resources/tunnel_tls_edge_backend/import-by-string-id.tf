import {
  to = tunnel_tls_edge_backend.ingress
  id = "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
