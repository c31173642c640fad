# Backend for the tunnels of this edge, and access for one network only

resource "tunnel_tcp_edge" "office" {
  description = "Database, for the office"
  hostports   = ["1.tcp.example.com:20001"]
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
