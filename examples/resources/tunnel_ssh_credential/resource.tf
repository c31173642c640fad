# Basic usage

resource "tunnel_ssh_credential" "laptop" {
  description = "Alice's laptop"
  public_key  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBjiiilXpj1ZzM4onWS+RNa0tuKP15YELIniHUYzkHx0 alice@laptop"

  # Without an ACL, there are no restrictions.
  acl = ["bind:*.dev.example.com"]
}
