resource "tunnel_tcp_edge_policy" "ssh" {
  edge_id = "edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"

  # false keeps the rules, and applies none of them.
  enabled = true

  inbound = [
    {
      name        = "deny private networks"
      expressions = ["conn.client_ip.startsWith('10.')"]
      actions     = [{ type = "deny" }]
    },
  ]

  outbound = [
    {
      # With no expressions, a rule applies to all traffic.
      name        = "log everything"
      expressions = []
      actions     = [{ type = "log", config = jsonencode({ metadata = { direction = "outbound" } }) }]
    },
  ]
}
