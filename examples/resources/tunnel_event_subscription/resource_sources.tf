# Destinations and event types

resource "tunnel_event_destination" "archive" {
  description = "Archive"
  target = {
    firehose = {
      delivery_stream_arn = "arn:aws:firehose:eu-central-1:123456789012:deliverystream/events"
      auth                = { role = { role_arn = "arn:aws:iam::123456789012:role/events" } }
    }
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_event_subscription" "certificates" {
  description     = "Certificate changes"
  metadata        = jsonencode({ team = "security" })
  destination_ids = [tunnel_event_destination.archive.id]
}

resource "tunnel_event_source" "certificates" {
  for_each = toset([
    "tls_certificate_created.v0",
    "tls_certificate_deleted.v0",
    "ssh_host_certificate_created.v0",
    "ssh_host_certificate_deleted.v0",
  ])

  subscription_id = tunnel_event_subscription.certificates.id
  type            = each.key
}
