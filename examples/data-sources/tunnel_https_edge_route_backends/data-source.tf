# The backends of all routes. Set edge_id to get those of one HTTPS edge.
data "tunnel_https_edge_route_backends" "all" {}

output "backend_id" {
  value = { for m in data.tunnel_https_edge_route_backends.all.https_edge_route_backends : m.route_id => m.backend_id }
}
