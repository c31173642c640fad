resource "tunnel_ssh_credential" "laptop" {
  description = "Alice's laptop"
  public_key  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBjiiilXpj1ZzM4onWS+RNa0tuKP15YELIniHUYzkHx0 alice@laptop"
  acl         = ["bind:*.dev.example.com", "bind:1.tcp.example.com:20001", "bind:env=dev"]

  # A new public key replaces the credential. Create the new credential before the
  # old one is deleted, so that one of them always works.
  lifecycle {
    create_before_destroy = true
  }
}

# Without an ACL, there are no restrictions. Two credentials cannot have the same
# public key, so do not set create_before_destroy if owner_id can change.
resource "tunnel_ssh_credential" "ci" {
  description = "The build server"
  public_key  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJUzir0o+wFaG6u5OUYXhr0ogeHCBJyZ27LfADDZyt0V ci"
}
