import {
  to = tunnel_event_subscription.audit
  id = "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
