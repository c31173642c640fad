import {
  to = tunnel_tls_edge.ingress
  id = "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
