terraform {
  required_providers {
    tunnel = {
      source = "tunnel-service/tunnel"
    }
  }
}

variable "release" {
  type    = number
  default = 1
}

resource "tunnel_https_edge" "shop" {
  hostports = ["shop.example.com:443"]
}

resource "tunnel_group_backend" "shop" {
  labels = { app = "shop" }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_https_edge_route" "all" {
  edge_id    = tunnel_https_edge.shop.id
  match_type = "path_prefix"
  match      = "/"
}

resource "tunnel_https_edge_route_backend" "all" {
  edge_id    = tunnel_https_edge.shop.id
  route_id   = tunnel_https_edge_route.all.id
  backend_id = tunnel_group_backend.shop.id
}

resource "tunnel_ip_policy" "offices" {
  description = "Offices"

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_ip_policy_rule" "berlin" {
  ip_policy_id = tunnel_ip_policy.offices.id
  action       = "allow"
  cidr         = "192.0.2.0/24"
}

# Release 2 moves the admin pages to a tunnel of their own, for the offices only.

resource "tunnel_https_edge_route" "admin" {
  count = var.release == 2 ? 1 : 0

  edge_id    = tunnel_https_edge.shop.id
  match_type = "path_prefix"
  match      = "/admin/"
}

resource "tunnel_https_edge_route_backend" "admin" {
  count = var.release == 2 ? 1 : 0

  edge_id    = tunnel_https_edge.shop.id
  route_id   = tunnel_https_edge_route.admin[0].id
  backend_id = tunnel_group_backend.admin.id
}

resource "tunnel_https_edge_route_ip_restriction" "admin" {
  count = var.release == 2 ? 1 : 0

  edge_id       = tunnel_https_edge.shop.id
  route_id      = tunnel_https_edge_route.admin[0].id
  ip_policy_ids = [tunnel_ip_policy.offices.id]
}

resource "tunnel_group_backend" "admin" {
  labels = { app = "admin" }

  lifecycle {
    create_before_destroy = true
  }
}
