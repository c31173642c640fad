data "tunnel_tcp_edge_ip_restriction" "internal" {
  edge_id = "edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "ip_policy_ids" {
  value = data.tunnel_tcp_edge_ip_restriction.internal.ip_policy_ids
}
