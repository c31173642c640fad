data "tunnel_tls_edge_policy" "ingress" {
  edge_id = "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "rules" {
  value = data.tunnel_tls_edge_policy.ingress.inbound[*].name
}
