# Basic usage

resource "tunnel_tcp_edge_ip_restriction" "internal" {
  edge_id       = tunnel_tcp_edge.internal.id
  ip_policy_ids = [tunnel_ip_policy.offices.id]
}

resource "tunnel_tcp_edge" "internal" {
  hostports = ["1.tcp.example.com:20001"] # a tunnel_reserved_address
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
