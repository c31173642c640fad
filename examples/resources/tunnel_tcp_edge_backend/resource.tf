# Basic usage

resource "tunnel_tcp_edge_backend" "ingress" {
  edge_id    = tunnel_tcp_edge.ingress.id
  backend_id = tunnel_group_backend.ingress.id
}

resource "tunnel_reserved_address" "ingress" {
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tcp_edge" "ingress" {
  hostports = [tunnel_reserved_address.ingress.addr]
}

resource "tunnel_group_backend" "ingress" {
  labels = { app = "ingress" }

  lifecycle {
    create_before_destroy = true
  }
}
