resource "tunnel_tcp_edge" "ingress" {
  description = "Database"
  hostports   = ["1.tcp.example.com:20001"]
}

resource "tunnel_group_backend" "ingress" {
  labels = { edge = tunnel_tcp_edge.ingress.id }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tcp_edge_backend" "ingress" {
  edge_id    = tunnel_tcp_edge.ingress.id
  backend_id = tunnel_group_backend.ingress.id
}
