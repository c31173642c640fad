# Basic usage

resource "tunnel_tls_edge_backend" "ingress" {
  edge_id    = tunnel_tls_edge.ingress.id
  backend_id = tunnel_group_backend.ingress.id
}

resource "tunnel_tls_edge" "ingress" {
  hostports = ["secure.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_group_backend" "ingress" {
  labels = { app = "ingress" }

  lifecycle {
    create_before_destroy = true
  }
}
