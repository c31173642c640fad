# Basic usage

resource "tunnel_reserved_address" "ingress" {
  # Without this, Terraform deletes the old address before the edge uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tcp_edge" "ingress" {
  hostports = [tunnel_reserved_address.ingress.addr]
}
