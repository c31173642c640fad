terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}

variable "developer_key" {
  type        = string
  default     = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBjiiilXpj1ZzM4onWS+RNa0tuKP15YELIniHUYzkHx0 alice@laptop"
  description = "SSH public key of a developer."
}

resource "tunnel_ssh_credential" "developer" {
  public_key = var.developer_key
  acl        = ["bind:*.dev.example.com", "bind:env=dev"]
}

# What a developer can bind, of everything that matters.
output "developer_can_bind" {
  value = [
    for bind in ["alice.dev.example.com", "www.example.com", "1.tcp.example.com:20001", "env=dev", "env=prod"] :
    bind if provider::tunnel::acl_allows(tunnel_ssh_credential.developer.acl, bind)
  ]
}
