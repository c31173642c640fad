# Several event types

resource "tunnel_event_subscription" "access" {
  description     = "Access changes"
  destination_ids = ["ed_3YNt0gWyXbJ2sKmP9vQfLhRcTde"]
}

resource "tunnel_event_source" "access" {
  for_each = toset(["api_key_created.v0", "api_key_deleted.v0", "ip_policy_updated.v0"])

  subscription_id = tunnel_event_subscription.access.id
  type            = each.key
}
