# All types that trigger a subscription and are about IP policies.
data "tunnel_event_sources" "ip_policy" {
  subscription_id = "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  type_regex      = "^ip_policy_"
}

output "types" {
  value = data.tunnel_event_sources.ip_policy.event_sources[*].type
}
