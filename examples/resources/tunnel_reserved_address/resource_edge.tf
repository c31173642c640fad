# TCP edge on a reserved address

resource "tunnel_reserved_address" "game" {
  description = "Game server"
}

resource "tunnel_tcp_edge" "game" {
  hostports = [tunnel_reserved_address.game.addr]
}

output "game_address" {
  value = tunnel_reserved_address.game.addr
}
