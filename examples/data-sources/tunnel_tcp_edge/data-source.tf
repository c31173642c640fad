# A TCP edge by its host and port.
data "tunnel_tcp_edge" "by_hostport" {
  hostport = "1.tcp.example.com:20001"
}

# A TCP edge by its ID.
data "tunnel_tcp_edge" "ingress" {
  id = "edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "hostports" {
  value = data.tunnel_tcp_edge.ingress.hostports
}
