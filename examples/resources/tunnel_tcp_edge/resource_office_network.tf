# Backend for the tunnels of this edge, and access for one network only

resource "tunnel_reserved_address" "office" {
  # Without this, Terraform deletes the old address before the edge uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tcp_edge" "office" {
  description = "Database, for the office"
  hostports   = [tunnel_reserved_address.office.addr]
}

# Agents and SSH clients start their tunnels with this label.
resource "tunnel_group_backend" "office" {
  labels = { edge = tunnel_tcp_edge.office.id }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tcp_edge_backend" "office" {
  edge_id    = tunnel_tcp_edge.office.id
  backend_id = tunnel_group_backend.office.id

  # Without a policy, the edge lets everybody in: connections must not start before it
  # exists, and must end before it is deleted.
  depends_on = [tunnel_tcp_edge_policy.office]
}

resource "tunnel_tcp_edge_policy" "office" {
  edge_id = tunnel_tcp_edge.office.id

  inbound = [{
    name        = "allow only the office network"
    expressions = [] # all traffic
    actions = [{
      type   = "restrict-ips"
      config = jsonencode({ enforce = true, allow = ["203.0.113.0/24", "2001:db8::/32"] })
    }]
  }]
}
