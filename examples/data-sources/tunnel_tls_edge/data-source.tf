data "tunnel_tls_edge" "ingress" {
  id = "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "hostports" {
  value = data.tunnel_tls_edge.ingress.hostports
}
