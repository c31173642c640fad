import {
  to = tunnel_event_source.ip_policy_created
  identity = {
    subscription_id = "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
    type            = "ip_policy_created.v0"
  }
}
