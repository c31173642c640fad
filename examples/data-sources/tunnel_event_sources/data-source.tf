# All IP policy events of a subscription.
data "tunnel_event_sources" "ip_policy" {
  subscription_id = "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  type_regex      = "^ip_policy_"
}

output "types" {
  value = data.tunnel_event_sources.ip_policy.event_sources[*].type
}
