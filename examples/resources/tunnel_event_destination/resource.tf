# Basic usage

# The service assumes a role of AWS, so there is no secret.
resource "tunnel_event_destination" "archive" {
  description = "Archive"
  target = {
    firehose = {
      delivery_stream_arn = "arn:aws:firehose:eu-central-1:123456789012:deliverystream/events"
      auth = {
        role = { role_arn = "arn:aws:iam::123456789012:role/events" }
      }
    }
  }

  # Without this, Terraform deletes the old destination before the subscription uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_event_subscription" "audit" {
  description     = "Audit"
  destination_ids = [tunnel_event_destination.archive.id]
}
