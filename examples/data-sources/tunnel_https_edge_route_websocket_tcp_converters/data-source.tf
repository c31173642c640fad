# The websocket TCP converters of all routes. Set edge_id to get those of one HTTPS edge.
data "tunnel_https_edge_route_websocket_tcp_converters" "all" {}

output "enabled" {
  value = { for m in data.tunnel_https_edge_route_websocket_tcp_converters.all.https_edge_route_websocket_tcp_converters : m.route_id => m.enabled }
}
