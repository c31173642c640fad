# Import ID: the ID of the object.
terraform import tunnel_ip_policy_rule.berlin ipr_3YNt0gWyXbJ2sKmP9vQfLhRcTde
