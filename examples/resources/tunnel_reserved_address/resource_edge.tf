# TCP edge on a reserved address

resource "tunnel_reserved_address" "game" {
  description = "Game server"

  # Without this, Terraform deletes the old address before the edge uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tcp_edge" "game" {
  hostports = [tunnel_reserved_address.game.addr]
}

output "game_address" {
  value = tunnel_reserved_address.game.addr
}
