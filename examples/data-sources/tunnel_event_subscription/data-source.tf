data "tunnel_event_subscription" "audit" {
  id = "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "destination_ids" {
  value = data.tunnel_event_subscription.audit.destination_ids
}
