# Basic usage

resource "tunnel_bot_user" "ci" {
  name = "ci"
}
