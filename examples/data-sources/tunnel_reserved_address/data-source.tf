# An address by its host and port.
data "tunnel_reserved_address" "database" {
  addr = "1.tcp.tunnel.example:20001"
}

# An address by its ID.
data "tunnel_reserved_address" "game" {
  id = "ra_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "game_address" {
  value = data.tunnel_reserved_address.game.addr
}
