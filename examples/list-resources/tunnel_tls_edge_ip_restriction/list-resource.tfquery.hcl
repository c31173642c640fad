list "tunnel_tls_edge_ip_restriction" "all" {
  provider = tunnel
}
