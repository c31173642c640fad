data "tunnel_tls_edge_backend" "ingress" {
  edge_id = "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "backend_id" {
  value = data.tunnel_tls_edge_backend.ingress.backend_id
}
