list "tunnel_ip_policy" "all" {
  provider = tunnel
}
