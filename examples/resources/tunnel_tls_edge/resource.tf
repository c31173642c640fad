resource "tunnel_tls_edge" "ingress" {
  description = "End-to-end encrypted traffic"
  hostports   = ["secure.example.com:443"]
}

resource "tunnel_group_backend" "ingress" {
  labels = { edge = tunnel_tls_edge.ingress.id }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tls_edge_backend" "ingress" {
  edge_id    = tunnel_tls_edge.ingress.id
  backend_id = tunnel_group_backend.ingress.id
}
