list "tunnel_api_key" "all" {
  provider = tunnel
}
