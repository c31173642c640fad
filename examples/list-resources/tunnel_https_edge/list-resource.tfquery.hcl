list "tunnel_https_edge" "all" {
  provider = tunnel
  limit    = 1000
}
