list "tunnel_ip_policy_rule" "all" {
  provider = tunnel
}
