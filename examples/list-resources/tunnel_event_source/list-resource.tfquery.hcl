# The event sources of all subscriptions.
list "tunnel_event_source" "all" {
  provider = tunnel
  limit    = 1000
}
