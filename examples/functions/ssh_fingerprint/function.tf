output "fingerprint" {
  value = provider::tunnel::ssh_fingerprint("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBjiiilXpj1ZzM4onWS+RNa0tuKP15YELIniHUYzkHx0 alice@laptop")
}
