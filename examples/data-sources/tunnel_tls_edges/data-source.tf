data "tunnel_tls_edges" "all" {}

output "hostports" {
  value = { for edge in data.tunnel_tls_edges.all.tls_edges : edge.id => edge.hostports }
}
