list "tunnel_event_destination" "all" {
  provider = tunnel
}
