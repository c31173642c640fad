resource "tunnel_event_subscription" "audit" {
  description     = "Audit"
  destination_ids = [] # ids of event destinations, which are managed elsewhere
}

resource "tunnel_event_source" "audit" {
  for_each        = toset(["ip_policy_created.v0", "ip_policy_deleted.v0"])
  subscription_id = tunnel_event_subscription.audit.id
  type            = each.key
}
