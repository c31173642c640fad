list "tunnel_ip_policy_rule" "offices" {
  provider = tunnel

  config {
    ip_policy_id = "ipp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
