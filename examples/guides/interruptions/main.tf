terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}

variable "release" {
  type        = number
  description = "1 is in production, 2 is the change."
  default     = 1
}

locals {
  ci_keys = [
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICnAK9b2RD4+t1p3wq8WtVQPzPQKpNfu/j8GOd8tCgQw",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAs+EadqryTUp/NY6sLoEvYExzscg6wK4gg41Pp0gRom",
  ]
  deployments = var.release == 1 ? ["blue"] : ["blue", "green"]
}

resource "tunnel_group_backend" "app" {
  for_each = toset(local.deployments)
  labels   = { deployment = each.key }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_failover_backend" "web" {
  backends = [for name in local.deployments : tunnel_group_backend.app[name].id]

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tls_edge" "web" {
  description = "Release ${var.release}"
}

resource "tunnel_tls_edge_backend" "web" {
  edge_id    = tunnel_tls_edge.web.id
  backend_id = tunnel_failover_backend.web.id
}

resource "tunnel_tls_edge_policy" "web" {
  edge_id = tunnel_tls_edge.web.id
  inbound = [{
    name        = "office"
    expressions = ["conn.client_ip == '192.0.2.${var.release}'"]
    actions     = [{ type = "log" }]
  }]
}

# Changing public_key replaces the credential: Terraform deletes the old one, then creates the new one.
resource "tunnel_ssh_credential" "ci" {
  public_key = local.ci_keys[var.release - 1]
}

resource "tunnel_reserved_address" "spare" {
  count       = var.release - 1
  description = "spare"
}
