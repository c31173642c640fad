# One of each: what "make demo" applies. The files that it reads are made on the
# spot; to run it by hand, point the three variables at files of your own.

terraform {
  required_version = ">= 1.5"
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
  private_key_pem = file("${var.keys}/private_key.pem")

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

output "certificate_ends" {
  value = tunnel_tls_certificate.www.not_after
}
