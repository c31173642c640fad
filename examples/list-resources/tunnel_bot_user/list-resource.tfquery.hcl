list "tunnel_bot_user" "all" {
  provider = tunnel
}
