# The IP restrictions of all TLS edges. Set edge_id to get that of one edge.
data "tunnel_tls_edge_ip_restrictions" "all" {}

output "ip_policy_ids" {
  value = { for r in data.tunnel_tls_edge_ip_restrictions.all.tls_edge_ip_restrictions : r.edge_id => r.ip_policy_ids }
}
