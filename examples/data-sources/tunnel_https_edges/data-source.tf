# All edges. hostports is empty for an edge without any.
data "tunnel_https_edges" "all" {}

output "hostports" {
  value = { for edge in data.tunnel_https_edges.all.https_edges : edge.id => edge.hostports }
}

# Edges that listen on one host and port.
data "tunnel_https_edges" "one" {
  hostport = "shop.example.com:443"
}
