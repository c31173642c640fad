terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}

resource "tunnel_tls_edge" "app" {
  hostports = ["app.example.com:443"]
}

resource "tunnel_tls_edge_policy" "app" {
  edge_id = tunnel_tls_edge.app.id

  inbound = [
    {
      name        = "blocked countries"
      expressions = ["conn.geo.country_code in ['XX', 'YY']"]
      actions     = [{ type = "deny" }]
    },
    {
      name        = "admin only from the office"
      expressions = ["conn.tls.sni == 'admin.example.com'"]
      actions     = [{ type = "restrict-ips", config = jsonencode({ allow = ["203.0.113.0/24"] }) }]
    },
    {
      name        = "other names"
      expressions = ["!(conn.tls.sni in ['app.example.com', 'admin.example.com'])"]
      actions     = [{ type = "deny" }]
    },
  ]
}
