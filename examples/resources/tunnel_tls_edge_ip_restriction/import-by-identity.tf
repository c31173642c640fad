import {
  to = tunnel_tls_edge_ip_restriction.internal
  identity = {
    edge_id = "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
