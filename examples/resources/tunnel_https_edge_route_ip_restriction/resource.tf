# Basic usage

resource "tunnel_https_edge_route_ip_restriction" "admin" {
  edge_id       = tunnel_https_edge.shop.id
  route_id      = tunnel_https_edge_route.admin.id
  ip_policy_ids = [tunnel_ip_policy.offices.id]
}

resource "tunnel_https_edge_route_backend" "admin" {
  edge_id    = tunnel_https_edge.shop.id
  route_id   = tunnel_https_edge_route.admin.id
  backend_id = tunnel_group_backend.admin.id

  # Without the restriction, the backend is open to everybody.
  depends_on = [tunnel_https_edge_route_ip_restriction.admin, tunnel_ip_policy_rule.berlin]
}

resource "tunnel_https_edge" "shop" {
  hostports = ["shop.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_https_edge_route" "admin" {
  edge_id    = tunnel_https_edge.shop.id
  match_type = "path_prefix"
  match      = "/admin/"
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

resource "tunnel_group_backend" "admin" {
  labels = { app = "admin" }

  lifecycle {
    create_before_destroy = true
  }
}
