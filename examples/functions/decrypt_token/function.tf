variable "identity" {
  type        = string
  ephemeral   = true
  description = "SSH private key, for example from a secret store."
}

resource "tunnel_api_key" "deploy" {
  description     = "Deploy pipeline"
  token_recipient = file("~/.ssh/id_ed25519.pub")
}

# In a module that others call: an ephemeral output can be the value of a write-only
# argument there. The token is then in no plan and in no state.
output "token" {
  value     = provider::tunnel::decrypt_token(tunnel_api_key.deploy.encrypted_token, var.identity)
  ephemeral = true
}
