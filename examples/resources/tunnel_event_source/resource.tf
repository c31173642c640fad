# Basic usage

resource "tunnel_event_source" "ip_policy_created" {
  subscription_id = tunnel_event_subscription.audit.id
  type            = "ip_policy_created.v0"
}

resource "tunnel_event_subscription" "audit" {
  description     = "Audit"
  destination_ids = ["ed_3YNt0gWyXbJ2sKmP9vQfLhRcTde"]
}
