# Addresses that one of several policies allows

resource "tunnel_tls_edge_ip_restriction" "support" {
  edge_id       = tunnel_tls_edge.support.id
  ip_policy_ids = [for policy in tunnel_ip_policy.support : policy.id]
}

resource "tunnel_tls_edge" "support" {
  hostports = ["internal.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_ip_policy" "support" {
  for_each    = toset(["Offices", "Partners"])
  description = each.key

  lifecycle {
    create_before_destroy = true
  }
}
