# A TLS edge by its host and port.
data "tunnel_tls_edge" "by_hostport" {
  hostport = "secure.example.com:443"
}

# A TLS edge by its ID.
data "tunnel_tls_edge" "ingress" {
  id = "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "hostports" {
  value = data.tunnel_tls_edge.ingress.hostports
}
