# Basic usage

resource "tunnel_tls_edge_ip_restriction" "internal" {
  edge_id       = tunnel_tls_edge.internal.id
  ip_policy_ids = [tunnel_ip_policy.offices.id]
}

resource "tunnel_tls_edge_backend" "internal" {
  edge_id    = tunnel_tls_edge.internal.id
  backend_id = tunnel_group_backend.internal.id

  # Without the restriction, the backend is open to everybody.
  depends_on = [tunnel_tls_edge_ip_restriction.internal, tunnel_ip_policy_rule.offices]
}

resource "tunnel_tls_edge" "internal" {
  hostports = ["internal.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_ip_policy" "offices" {
  description = "Offices"

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_ip_policy_rule" "offices" {
  for_each = { berlin = "192.0.2.0/24", paris = "198.51.100.0/24" }

  ip_policy_id = tunnel_ip_policy.offices.id
  description  = each.key
  action       = "allow"
  cidr         = each.value
}

resource "tunnel_group_backend" "internal" {
  labels = { app = "internal" }

  lifecycle {
    create_before_destroy = true
  }
}
