# The IP restrictions of all routes. Set edge_id to get those of one HTTPS edge.
data "tunnel_https_edge_route_ip_restrictions" "all" {}

output "ip_policy_ids" {
  value = { for r in data.tunnel_https_edge_route_ip_restrictions.all.https_edge_route_ip_restrictions : r.route_id => r.ip_policy_ids }
}
