# The runs only plan, so the provider sends no request.
provider "tunnel" {
  base_url                    = "https://api.example.com"
  api_key                     = "not used"
  skip_credentials_validation = true
}

variables {
  office   = { client_ip = "203.0.113.9", geo = { country_code = "DE" } }
  stranger = { client_ip = "198.51.100.7", geo = { country_code = "DE" } }
}

run "everybody_reaches_the_app" {
  command = plan

  assert {
    condition = alltrue([
      for conn in [var.office, var.stranger] : provider::tunnel::policy_decision(
        tunnel_tls_edge_policy.app, { conn = merge(conn, { tls = { sni = "app.example.com" } }) }
      ).decision == "allow"
    ])
    error_message = "The app must be open to everybody."
  }
}

run "only_the_office_reaches_admin" {
  command = plan

  assert {
    condition = provider::tunnel::policy_decision(
      tunnel_tls_edge_policy.app, { conn = merge(var.office, { tls = { sni = "admin.example.com" } }) }
    ).decision == "allow"
    error_message = "The office must reach admin.example.com."
  }

  assert {
    condition = provider::tunnel::policy_decision(
      tunnel_tls_edge_policy.app, { conn = merge(var.stranger, { tls = { sni = "admin.example.com" } }) }
    ).decision == "deny"
    error_message = "A stranger gets in: ${provider::tunnel::policy_decision(
      tunnel_tls_edge_policy.app, { conn = merge(var.stranger, { tls = { sni = "admin.example.com" } }) }
    ).reason}."
  }
}

run "blocked_countries" {
  command = plan

  assert {
    condition = provider::tunnel::policy_decision(
      tunnel_tls_edge_policy.app, { conn = { client_ip = "198.51.100.7", geo = { country_code = "XX" }, tls = { sni = "app.example.com" } } }
    ).rule.name == "blocked countries"
    error_message = "The rule for blocked countries must deny the connection."
  }
}
