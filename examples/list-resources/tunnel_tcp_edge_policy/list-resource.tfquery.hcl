# The policies of all TCP edges.
list "tunnel_tcp_edge_policy" "all" {
  provider = tunnel
  limit    = 1000
}
