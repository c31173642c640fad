# Import ID: the ID of the object.
terraform import tunnel_event_subscription.audit esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde
