list "tunnel_http_response_backend" "all" {
  provider = tunnel
  limit    = 1000
}
