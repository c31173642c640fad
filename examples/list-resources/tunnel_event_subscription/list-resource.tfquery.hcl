list "tunnel_event_subscription" "all" {
  provider = tunnel
  limit    = 1000
}
