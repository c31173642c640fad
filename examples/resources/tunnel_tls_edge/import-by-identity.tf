import {
  to = tunnel_tls_edge.ingress
  identity = {
    id = "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
