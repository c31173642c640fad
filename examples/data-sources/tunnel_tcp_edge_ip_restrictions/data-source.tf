# The IP restrictions of all TCP edges. Set edge_id to get that of one edge.
data "tunnel_tcp_edge_ip_restrictions" "all" {}

output "ip_policy_ids" {
  value = { for r in data.tunnel_tcp_edge_ip_restrictions.all.tcp_edge_ip_restrictions : r.edge_id => r.ip_policy_ids }
}
