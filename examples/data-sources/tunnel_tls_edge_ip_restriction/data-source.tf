data "tunnel_tls_edge_ip_restriction" "internal" {
  edge_id = "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "ip_policy_ids" {
  value = data.tunnel_tls_edge_ip_restriction.internal.ip_policy_ids
}
