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

# Connections that somebody cares about, by name.
locals {
  office   = { client_ip = "203.0.113.9", geo = { country_code = "DE" } }
  stranger = { client_ip = "198.51.100.7", geo = { country_code = "DE" } }
  blocked  = { client_ip = "198.51.100.7", geo = { country_code = "XX" } }

  samples = {
    "office on app"     = merge(local.office, { tls = { sni = "app.example.com" } })
    "office on admin"   = merge(local.office, { tls = { sni = "admin.example.com" } })
    "stranger on app"   = merge(local.stranger, { tls = { sni = "app.example.com" } })
    "stranger on admin" = merge(local.stranger, { tls = { sni = "admin.example.com" } })
    "blocked on app"    = merge(local.blocked, { tls = { sni = "app.example.com" } })
  }

  decided = { for name, conn in local.samples : name => provider::tunnel::policy_decision(tunnel_tls_edge_policy.app, { conn = conn }) }
}

# A plan that changes a decision shows it in "Changes to Outputs".
output "decisions" {
  value = { for name, decided in local.decided : name => decided.decision }
}

output "reasons" {
  value = { for name, decided in local.decided : name => decided.reason }
}
