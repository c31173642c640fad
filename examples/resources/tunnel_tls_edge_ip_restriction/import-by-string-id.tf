import {
  to = tunnel_tls_edge_ip_restriction.internal
  id = "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
