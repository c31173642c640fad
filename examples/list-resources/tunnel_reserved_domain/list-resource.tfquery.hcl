list "tunnel_reserved_domain" "all" {
  provider = tunnel
  limit    = 1000
}
