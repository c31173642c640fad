# The backends of all TCP edges. Set edge_id to get those of one edge.
data "tunnel_tcp_edge_backends" "all" {}

output "backends" {
  value = { for b in data.tunnel_tcp_edge_backends.all.tcp_edge_backends : b.edge_id => b.backend_id }
}
