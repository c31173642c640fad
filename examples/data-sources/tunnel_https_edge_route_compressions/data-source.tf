# The compression modules of all routes. Set edge_id to get those of one HTTPS edge.
data "tunnel_https_edge_route_compressions" "all" {}

output "enabled" {
  value = { for m in data.tunnel_https_edge_route_compressions.all.https_edge_route_compressions : m.route_id => m.enabled }
}
