# Basic usage

# Without destinations, events are not delivered.
resource "tunnel_event_subscription" "audit" {
  description     = "Audit"
  destination_ids = [tunnel_event_destination.log.id]
}

resource "tunnel_event_destination" "log" {
  target = { debug = { log = true } }

  # Without this, Terraform deletes the old destination before the subscription uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}
