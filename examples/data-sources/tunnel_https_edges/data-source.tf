data "tunnel_https_edges" "all" {}

output "hostports" {
  value = { for edge in data.tunnel_https_edges.all.https_edges : edge.id => edge.hostports }
}
