list "tunnel_tcp_edge" "all" {
  provider = tunnel
  limit    = 1000
}
