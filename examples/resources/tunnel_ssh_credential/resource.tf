resource "tunnel_ssh_credential" "laptop" {
  description = "Alice's laptop"
  public_key  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBjiiilXpj1ZzM4onWS+RNa0tuKP15YELIniHUYzkHx0 alice@laptop"
  acl         = ["bind:*.dev.example.com", "bind:1.tcp.example.com:20001", "bind:env=dev"]

  # Another key replaces the credential. This way the new one exists before the
  # old one is deleted, and there is always one that works.
  lifecycle {
    create_before_destroy = true
  }
}

# Without an ACL there are no restrictions. A change of the owner alone replaces
# the credential as well, but with the same key, which no two credentials have: so
# here the old one is deleted first.
resource "tunnel_ssh_credential" "ci" {
  description = "The build server"
  public_key  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJUzir0o+wFaG6u5OUYXhr0ogeHCBJyZ27LfADDZyt0V ci"
}
