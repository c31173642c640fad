# The runs only plan, so the provider sends no request.
provider "tunnel" {
  base_url                    = "https://api.example.com"
  api_key                     = "not used"
  skip_credentials_validation = true
}

run "everybody_reaches_the_app" {
  command = plan

  assert {
    condition     = alltrue([for name in ["office", "stranger"] : output.decisions["${name} on app"] == "allow"])
    error_message = "The app must be open to everybody."
  }
}

run "only_the_office_reaches_admin" {
  command = plan

  assert {
    condition     = output.decisions["office on admin"] == "allow"
    error_message = "The office must reach admin.example.com."
  }

  assert {
    condition     = output.decisions["stranger on admin"] == "deny"
    error_message = "A stranger gets in: ${output.reasons["stranger on admin"]}."
  }
}

run "blocked_countries" {
  command = plan

  assert {
    condition     = output.decisions["blocked on app"] == "deny" && strcontains(output.reasons["blocked on app"], "blocked countries")
    error_message = "The rule for blocked countries must deny the connection."
  }
}
