# The routes of all HTTPS edges.
list "tunnel_https_edge_route" "all" {
  provider = tunnel
  limit    = 1000
}
