data "tunnel_tcp_edges" "all" {}

output "hostports" {
  value = { for edge in data.tunnel_tcp_edges.all.tcp_edges : edge.id => edge.hostports }
}
