# Destinations and event types

variable "destination_ids" {
  description = "IDs of the event destinations. The provider does not manage event destinations."
  type        = set(string)
  default     = ["ed_3YNt0gWyXbJ2sKmP9vQfLhRcTde"]
}

resource "tunnel_event_subscription" "certificates" {
  description     = "Certificate changes"
  metadata        = jsonencode({ team = "security" })
  destination_ids = var.destination_ids
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
