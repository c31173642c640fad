resource "tunnel_tls_edge_policy" "ingress" {
  edge_id = "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde"

  inbound = [
    {
      name = "block known bad clients"
      expressions = [
        "conn.tls.ja3 == '579ccef312d18482fc42e2b822ca2430'",
        "conn.client_ip in ['192.0.2.1', '198.51.100.7']",
      ]
      actions = [
        {
          type = "log"
          config = jsonencode({
            metadata = {
              reason = "ja3"
              owner  = { team = "edge" }
            }
          })
        },
        { type = "deny" },
      ]
    },
    {
      name        = "allow only the office network for internal hosts"
      expressions = ["conn.tls.sni.endsWith('.internal.example.com')"]
      actions = [
        {
          type = "restrict-ips"
          config = jsonencode({
            enforce = true
            allow   = ["203.0.113.0/24", "2001:db8::/32"]
          })
        },
      ]
    },
  ]
}
