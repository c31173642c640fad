# Backend for the tunnels of this edge, and access for one network only

resource "tunnel_reserved_domain" "office" {
  domain = "office.example.com"

  # Without this, Terraform deletes the old domain before the edge uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tls_edge" "office" {
  description = "End-to-end encrypted traffic, for the office"
  hostports   = ["${tunnel_reserved_domain.office.domain}:443"]
}

# Agents and SSH clients start their tunnels with this label.
resource "tunnel_group_backend" "office" {
  labels = { edge = tunnel_tls_edge.office.id }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tls_edge_backend" "office" {
  edge_id    = tunnel_tls_edge.office.id
  backend_id = tunnel_group_backend.office.id

  # Without a policy, the edge lets everybody in: connections must not start before it
  # exists, and must end before it is deleted.
  depends_on = [tunnel_tls_edge_policy.office]
}

resource "tunnel_tls_edge_policy" "office" {
  edge_id = tunnel_tls_edge.office.id

  inbound = [{
    name        = "allow only the office network"
    expressions = [] # all traffic
    actions = [{
      type   = "restrict-ips"
      config = jsonencode({ enforce = true, allow = ["203.0.113.0/24", "2001:db8::/32"] })
    }]
  }]
}
