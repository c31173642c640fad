# The compression modules of all routes.
list "tunnel_https_edge_route_compression" "all" {
  provider = tunnel
  limit    = 1000
}
