# Several event types

resource "tunnel_event_destination" "log" {
  target = { debug = { log = true } }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_event_subscription" "access" {
  description     = "Access changes"
  destination_ids = [tunnel_event_destination.log.id]
}

resource "tunnel_event_source" "access" {
  for_each = toset(["api_key_created.v0", "api_key_deleted.v0", "ip_policy_updated.v0"])

  subscription_id = tunnel_event_subscription.access.id
  type            = each.key
}
