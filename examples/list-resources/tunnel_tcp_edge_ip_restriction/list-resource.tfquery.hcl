list "tunnel_tcp_edge_ip_restriction" "all" {
  provider = tunnel
}
