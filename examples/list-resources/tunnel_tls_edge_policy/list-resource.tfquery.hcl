# The policies of all TLS edges.
list "tunnel_tls_edge_policy" "all" {
  provider = tunnel
  limit    = 1000
}
