# The policies of all TLS edges. Set edge_id to get the policy of one edge.
data "tunnel_tls_edge_policies" "all" {}

output "rules" {
  value = { for p in data.tunnel_tls_edge_policies.all.tls_edge_policies : p.edge_id => p.inbound[*].name }
}
