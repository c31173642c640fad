# Failover between two data centers

resource "tunnel_tls_edge" "app" {
  hostports = ["secure.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_group_backend" "app" {
  for_each = toset(["berlin", "paris"])
  labels   = { app = "app", location = each.key }

  # With this, you can remove a data center in one apply: Terraform updates the
  # failover backend first.
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_failover_backend" "app" {
  backends = [tunnel_group_backend.app["berlin"].id, tunnel_group_backend.app["paris"].id]

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tls_edge_backend" "app" {
  edge_id    = tunnel_tls_edge.app.id
  backend_id = tunnel_failover_backend.app.id

  # Set to false to stop the traffic without removing the backend.
  enabled = true
}
