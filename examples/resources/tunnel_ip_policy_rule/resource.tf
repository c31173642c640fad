# Basic usage

resource "tunnel_ip_policy" "offices" {
  description = "Offices"

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_ip_policy_rule" "berlin" {
  ip_policy_id = tunnel_ip_policy.offices.id
  description  = "Berlin"
  action       = "allow"
  cidr         = "192.0.2.0/24"
}
