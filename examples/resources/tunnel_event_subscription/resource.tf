resource "tunnel_event_subscription" "audit" {
  description = "Audit"
}

resource "tunnel_event_source" "audit" {
  for_each        = toset(["ip_policy_created.v0", "ip_policy_deleted.v0"])
  subscription_id = tunnel_event_subscription.audit.id
  type            = each.key
}
