# Allow only the office network, and log all traffic

resource "tunnel_reserved_address" "database" {
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tcp_edge" "database" {
  hostports = [tunnel_reserved_address.database.addr]
}

resource "tunnel_tcp_edge_policy" "database" {
  edge_id = tunnel_tcp_edge.database.id

  # Set to false to disable the policy but keep its rules.
  enabled = true

  inbound = [
    {
      name        = "allow only the office network"
      expressions = []
      actions = [
        { type = "restrict-ips", config = jsonencode({ enforce = true, allow = ["203.0.113.0/24", "2001:db8::/32"] }) },
      ]
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
