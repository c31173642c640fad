# Webhook

resource "tunnel_event_destination" "webhook" {
  description = "Webhook"
  target = {
    debug = { callback_url = "https://hooks.example.com/events" }
  }

  # Without this, Terraform deletes the old destination before the subscription uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}
