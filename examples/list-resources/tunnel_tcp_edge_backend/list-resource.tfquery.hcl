# The backends of all TCP edges.
list "tunnel_tcp_edge_backend" "all" {
  provider = tunnel
  limit    = 1000
}
