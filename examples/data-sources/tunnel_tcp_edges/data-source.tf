# All edges. hostports is empty for an edge without any.
data "tunnel_tcp_edges" "all" {}

output "hostports" {
  value = { for edge in data.tunnel_tcp_edges.all.tcp_edges : edge.id => edge.hostports }
}

# Edges that listen on one host and port.
data "tunnel_tcp_edges" "one" {
  hostport = "1.tcp.example.com:20001"
}
