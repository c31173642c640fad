# Policies by their description.
data "tunnel_ip_policies" "offices" {
  description_regex = "(?i)office"
}

output "offices" {
  value = [for policy in data.tunnel_ip_policies.offices.ip_policies : policy.id]
}
