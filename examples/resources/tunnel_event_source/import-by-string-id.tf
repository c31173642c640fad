import {
  to = tunnel_event_source.ip_policy_created
  id = "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde/ip_policy_created.v0"
}
