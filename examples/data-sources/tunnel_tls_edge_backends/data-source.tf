# The backends of all TLS edges. Set edge_id to get those of one edge.
data "tunnel_tls_edge_backends" "all" {}

output "backends" {
  value = { for b in data.tunnel_tls_edge_backends.all.tls_edge_backends : b.edge_id => b.backend_id }
}
