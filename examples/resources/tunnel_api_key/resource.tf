# Basic usage

# The state contains the token only encrypted, for whoever has the private key.
resource "tunnel_api_key" "ci" {
  description     = "CI"
  token_recipient = file("~/.ssh/id_ed25519.pub")
}
