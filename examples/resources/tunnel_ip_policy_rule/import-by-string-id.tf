import {
  to = tunnel_ip_policy_rule.berlin
  id = "ipr_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
