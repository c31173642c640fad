# Basic usage

resource "tunnel_tls_edge_ip_restriction" "internal" {
  edge_id       = tunnel_tls_edge.internal.id
  ip_policy_ids = [tunnel_ip_policy.offices.id]
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

resource "tunnel_ip_policy_rule" "berlin" {
  ip_policy_id = tunnel_ip_policy.offices.id
  action       = "allow"
  cidr         = "192.0.2.0/24"
}
