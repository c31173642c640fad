# The websocket TCP converters of all routes.
list "tunnel_https_edge_route_websocket_tcp_converter" "all" {
  provider = tunnel
  limit    = 1000
}
