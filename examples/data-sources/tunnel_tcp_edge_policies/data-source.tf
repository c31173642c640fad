# The policies of all TCP edges. Set edge_id to get the policy of one edge.
data "tunnel_tcp_edge_policies" "all" {}

output "rules" {
  value = { for p in data.tunnel_tcp_edge_policies.all.tcp_edge_policies : p.edge_id => p.inbound[*].name }
}
