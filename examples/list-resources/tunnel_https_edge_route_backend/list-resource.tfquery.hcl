# The backends of all routes.
list "tunnel_https_edge_route_backend" "all" {
  provider = tunnel
  limit    = 1000
}
