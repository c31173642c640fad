list "tunnel_tls_edge" "all" {
  provider = tunnel
  limit    = 1000
}
