resource "tunnel_tcp_edge_policy" "ssh" {
  edge_id = "edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"

  # Set to false to disable the policy but keep its rules.
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
      # A rule without expressions applies to all traffic.
      name        = "log everything"
      expressions = []
      actions     = [{ type = "log", config = jsonencode({ metadata = { direction = "outbound" } }) }]
    },
  ]
}
