# Fails if the subscription does not have this event type.
data "tunnel_event_source" "ip_policy_created" {
  subscription_id = "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  type            = "ip_policy_created.v0"
}
