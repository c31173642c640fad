# Basic usage

resource "tunnel_event_source" "ip_policy_created" {
  subscription_id = tunnel_event_subscription.audit.id
  type            = "ip_policy_created.v0"
}

resource "tunnel_event_subscription" "audit" {
  description     = "Audit"
  destination_ids = [tunnel_event_destination.log.id]
}

resource "tunnel_event_destination" "log" {
  target = { debug = { log = true } }

  lifecycle {
    create_before_destroy = true
  }
}
