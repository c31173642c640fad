# The ranges that an IP policy allows.
data "tunnel_ip_policy_rules" "offices" {
  ip_policy_id = "ipp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "allowed" {
  value = [for rule in data.tunnel_ip_policy_rules.offices.ip_policy_rules : rule.cidr if rule.action == "allow"]
}
