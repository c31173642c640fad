# Import ID: subscription_id/type.
terraform import tunnel_event_source.ip_policy_created esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde/ip_policy_created.v0
