# A list of ranges

resource "tunnel_ip_policy" "partner" {
  description = "Networks of our partner"

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_ip_policy_rule" "partner" {
  for_each = toset(split("\n", chomp(<<-EOT
    192.0.2.0/25
    198.51.100.0/24
    2001:db8:1::/48
  EOT
  )))

  ip_policy_id = tunnel_ip_policy.partner.id
  action       = "allow"
  cidr         = each.value
}
