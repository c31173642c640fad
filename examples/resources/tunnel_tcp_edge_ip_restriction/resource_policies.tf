# Addresses that one of several policies allows

resource "tunnel_tcp_edge_ip_restriction" "support" {
  edge_id       = tunnel_tcp_edge.support.id
  ip_policy_ids = [for policy in tunnel_ip_policy.support : policy.id]
}

resource "tunnel_tcp_edge" "support" {
  hostports = ["1.tcp.example.com:20001"] # a tunnel_reserved_address
}

resource "tunnel_ip_policy" "support" {
  for_each    = toset(["Offices", "Partners"])
  description = each.key

  lifecycle {
    create_before_destroy = true
  }
}
