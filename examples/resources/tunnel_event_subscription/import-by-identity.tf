import {
  to = tunnel_event_subscription.audit
  identity = {
    id = "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
