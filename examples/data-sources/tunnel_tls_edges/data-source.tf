# All edges. hostports is empty for an edge without any.
data "tunnel_tls_edges" "all" {}

output "hostports" {
  value = { for edge in data.tunnel_tls_edges.all.tls_edges : edge.id => edge.hostports }
}

# Edges that listen on one host and port.
data "tunnel_tls_edges" "one" {
  hostport = "secure.example.com:443"
}
