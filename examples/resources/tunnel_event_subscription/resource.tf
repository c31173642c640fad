# Basic usage

# Without destinations, events are not delivered.
resource "tunnel_event_subscription" "audit" {
  description     = "Audit"
  destination_ids = ["ed_3YNt0gWyXbJ2sKmP9vQfLhRcTde"]
}
