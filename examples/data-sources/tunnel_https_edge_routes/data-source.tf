# The routes of all HTTPS edges. Set edge_id to get those of one edge.
data "tunnel_https_edge_routes" "all" {}

output "paths" {
  value = { for r in data.tunnel_https_edge_routes.all.https_edge_routes : r.id => "${r.match_type} ${r.match}" }
}
