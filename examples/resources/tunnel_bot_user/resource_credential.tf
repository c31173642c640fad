# Credential of a CI pipeline

resource "tunnel_bot_user" "deploy" {
  name = "deploy pipeline"
}

resource "tunnel_ssh_credential" "deploy" {
  description = "Deploy pipeline"
  public_key  = file("~/.ssh/id_ed25519.pub")
  owner_id    = tunnel_bot_user.deploy.id
  acl         = ["bind:*.preview.example.com"]
}
