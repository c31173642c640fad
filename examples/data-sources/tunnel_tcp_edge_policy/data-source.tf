data "tunnel_tcp_edge_policy" "ingress" {
  edge_id = "edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "rules" {
  value = data.tunnel_tcp_edge_policy.ingress.inbound[*].name
}
