# Import ID: the ID of the object.
terraform import tunnel_ip_policy.offices ipp_3YNt0gWyXbJ2sKmP9vQfLhRcTde
