# Only the offices can connect to an edge

resource "tunnel_ip_policy" "internal" {
  description = "Internal networks"

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_ip_policy_rule" "internal" {
  for_each = {
    berlin = "192.0.2.0/24"
    vpn    = "2001:db8::/32"
  }

  ip_policy_id = tunnel_ip_policy.internal.id
  description  = each.key
  action       = "allow"
  cidr         = each.value
}

resource "tunnel_tls_edge" "internal" {
  hostports = ["internal.example.com:443"]
}

resource "tunnel_tls_edge_policy" "internal" {
  edge_id = tunnel_tls_edge.internal.id

  inbound = [{
    name        = "internal networks only"
    expressions = []
    actions = [{
      type   = "restrict-ips"
      config = jsonencode({ enforce = true, ip_policies = [tunnel_ip_policy.internal.id] })
    }]
  }]
}
