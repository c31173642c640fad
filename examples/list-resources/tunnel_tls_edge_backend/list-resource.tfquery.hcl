# The backends of all TLS edges.
list "tunnel_tls_edge_backend" "all" {
  provider = tunnel
  limit    = 1000
}
