list "tunnel_https_edge_route_ip_restriction" "all" {
  provider = tunnel
}
