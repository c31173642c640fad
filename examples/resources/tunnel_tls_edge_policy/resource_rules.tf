# Deny known bad clients, and restrict internal hosts to the office network

resource "tunnel_tls_edge" "internal" {
  hostports = ["app.internal.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_tls_edge_policy" "internal" {
  edge_id = tunnel_tls_edge.internal.id

  inbound = [
    {
      # One expression: to combine conditions, use && or ||.
      name        = "log and deny known bad clients"
      expressions = ["conn.tls.ja3 == '579ccef312d18482fc42e2b822ca2430' || conn.client_ip in ['192.0.2.1', '198.51.100.7']"]
      actions = [
        { type = "log", config = jsonencode({ metadata = { reason = "known bad client", owner = { team = "edge" } } }) },
        { type = "deny" },
      ]
    },
    {
      name        = "allow only the office network for internal hosts"
      expressions = ["conn.tls.sni.endsWith('.internal.example.com')"]
      actions = [
        { type = "restrict-ips", config = jsonencode({ enforce = true, allow = ["203.0.113.0/24", "2001:db8::/32"] }) },
      ]
    },
  ]
}
