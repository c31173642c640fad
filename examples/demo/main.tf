# One of each: what "make demo" applies. The files that it reads are made on the
# spot; to run it by hand, point the variables at files and ids of your own.

terraform {
  required_version = ">= 1.11" # for write-only private keys
  required_providers {
    tunnel = {
      source = "tunnel-service/tunnel"
    }
  }
}

# The address and the API key come from TUNNEL_BASE_URL and TUNNEL_API_KEY.
provider "tunnel" {}

variable "ssh_certificate_authority_id" {
  type        = string
  description = "Id of the SSH certificate authority that signs the host's key."
}

variable "keys" {
  type        = string
  description = "Folder with host_key.pub, user_key.pub, certificate.pem and private_key.pem."
}

variable "tls_edge_id" {
  type        = string
  description = "Id of a TLS edge that has no policy."
}

variable "tcp_edge_id" {
  type        = string
  description = "Id of a TCP edge that has no policy."
}

variable "https_edge_id" {
  type        = string
  description = "Id of an HTTPS edge."
}

variable "https_edge_route_id" {
  type        = string
  description = "Id of a route of that HTTPS edge, without modules."
}

variable "event_subscription_id" {
  type        = string
  description = "Id of an event subscription."
}

resource "tunnel_ssh_credential" "laptop" {
  description = "A developer's laptop"
  public_key  = file("${var.keys}/user_key.pub")
  acl         = ["bind:*.dev.example.com", "bind:env=dev"]
}

resource "tunnel_ssh_host_certificate" "bastion" {
  description                  = "Host key of the bastion"
  ssh_certificate_authority_id = var.ssh_certificate_authority_id
  public_key                   = file("${var.keys}/host_key.pub")
  principals                   = ["bastion.example.com", "192.0.2.10"]
}

resource "tunnel_tls_certificate" "www" {
  description     = "www.example.com"
  certificate_pem = file("${var.keys}/certificate.pem")

  # The key goes to the service and nowhere else: it is in no plan and no state.
  private_key_pem_wo         = file("${var.keys}/private_key.pem")
  private_key_pem_wo_version = 1

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_group_backend" "app" {
  for_each    = toset(["blue", "green"])
  description = "All tunnels of the ${each.key} deployment"
  labels      = { app = "web", deployment = each.key }
}

resource "tunnel_failover_backend" "app" {
  description = "Blue, and green when blue is down"
  metadata    = jsonencode({ team = "platform" })
  backends    = [tunnel_group_backend.app["blue"].id, tunnel_group_backend.app["green"].id]
}

resource "tunnel_tls_edge_policy" "demo" {
  edge_id = var.tls_edge_id
  inbound = [
    {
      name        = "clients that are known to be bad"
      expressions = ["conn.tls.ja3 == '579ccef312d18482fc42e2b822ca2430'"]
      actions = [
        { type = "log", config = jsonencode({ metadata = { reason = "ja3", owner = { team = "edge" } } }) },
        { type = "deny" },
      ]
    },
  ]
}

resource "tunnel_tcp_edge_policy" "demo" {
  edge_id = var.tcp_edge_id
  inbound = [
    {
      name    = "the office alone"
      actions = [{ type = "restrict-ips", config = jsonencode({ enforce = true, allow = ["203.0.113.0/24"] }) }]
    },
  ]
}

resource "tunnel_https_edge_route_compression" "demo" {
  edge_id  = var.https_edge_id
  route_id = var.https_edge_route_id
}

resource "tunnel_https_edge_route_websocket_tcp_converter" "demo" {
  edge_id  = var.https_edge_id
  route_id = var.https_edge_route_id
}

resource "tunnel_event_source" "demo" {
  for_each        = toset(["ip_policy_created.v0", "ip_policy_updated.v0"])
  subscription_id = var.event_subscription_id
  type            = each.key
}

output "certificate_ends" {
  value = tunnel_tls_certificate.www.not_after
}
