data "tunnel_ip_policy_rule" "berlin" {
  id = "ipr_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "berlin" {
  value = data.tunnel_ip_policy_rule.berlin.cidr
}
