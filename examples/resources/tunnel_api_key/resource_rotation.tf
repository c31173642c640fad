# Key of a bot user, with rotation

resource "tunnel_bot_user" "deploy" {
  name = "deploy pipeline"
}

# Change the value, or set it with the resource time_rotating.
resource "terraform_data" "rotation" {
  input = "2026-Q4"
}

# create_before_destroy: whatever uses the token gets the new one before the old key is
# deleted.
resource "tunnel_api_key" "deploy" {
  description     = "Deploy pipeline"
  owner_id        = tunnel_bot_user.deploy.id
  token_recipient = "age1l9ty3qvsl9t5nhvzpd7m0klz64qe457d8fthf8747uvcc4x9m5lspty75d"

  lifecycle {
    create_before_destroy = true
    replace_triggered_by  = [terraform_data.rotation]
  }
}

output "encrypted_token" {
  value = tunnel_api_key.deploy.encrypted_token
}
