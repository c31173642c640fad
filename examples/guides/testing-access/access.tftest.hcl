# The run only plans, so the provider sends no request.
provider "tunnel" {
  base_url                    = "https://api.example.com"
  api_key                     = "not used"
  skip_credentials_validation = true
}

run "developers_bind_only_dev" {
  command = plan

  assert {
    condition     = toset(output.developer_can_bind) == toset(["alice.dev.example.com", "env=dev"])
    error_message = "A developer can bind: ${join(", ", output.developer_can_bind)}."
  }
}
