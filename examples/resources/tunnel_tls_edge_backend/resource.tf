resource "tunnel_tls_edge_backend" "ingress" {
  edge_id    = "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  backend_id = tunnel_group_backend.ingress.id
}

resource "tunnel_group_backend" "ingress" {
  labels = { app = "ingress" }

  lifecycle {
    create_before_destroy = true
  }
}
