# All types of event that trigger a subscription.
list "tunnel_event_source" "all" {
  provider = tunnel
  limit    = 1000

  config {
    subscription_id = "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
