data "tunnel_tcp_edge_backend" "ingress" {
  edge_id = "edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "backend_id" {
  value = data.tunnel_tcp_edge_backend.ingress.backend_id
}
