data "tunnel_https_edge_route_ip_restriction" "admin" {
  edge_id  = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  route_id = "edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV"
}

output "ip_policy_ids" {
  value = data.tunnel_https_edge_route_ip_restriction.admin.ip_policy_ids
}
