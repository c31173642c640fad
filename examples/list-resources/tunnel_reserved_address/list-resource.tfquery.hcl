list "tunnel_reserved_address" "all" {
  provider = tunnel
  limit    = 1000
}
