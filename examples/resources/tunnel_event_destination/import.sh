# Import ID: the ID of the object.
terraform import tunnel_event_destination.archive ed_3YNt0gWyXbJ2sKmP9vQfLhRcTde
