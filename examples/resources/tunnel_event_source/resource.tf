resource "tunnel_event_source" "ip_policy_created" {
  subscription_id = "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  type            = "ip_policy_created.v0"
}

# Several event types, with one event source each.
resource "tunnel_event_source" "audit" {
  for_each = toset(["api_key_created.v0", "api_key_deleted.v0", "tls_certificate_deleted.v0"])

  subscription_id = "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  type            = each.key
}
