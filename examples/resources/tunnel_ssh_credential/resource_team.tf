# Credentials of several clients, each with its own labels

locals {
  clients = {
    web = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJUzir0o+wFaG6u5OUYXhr0ogeHCBJyZ27LfADDZyt0V web"
    api = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRlNttv5U6ku0XJeMTkLXnXAV1X4pBLMc/0X9sOsYV6 api"
  }
}

resource "tunnel_ssh_credential" "client" {
  for_each    = local.clients
  description = "Starts the tunnels of ${each.key}"
  public_key  = each.value
  acl         = ["bind:app=${each.key}"]

  # A new public key replaces the credential. Create the new credential before the
  # old one is deleted, so that one of them always works. Two credentials cannot have
  # the same public key: do not set this if owner_id can change.
  lifecycle {
    create_before_destroy = true
  }
}

# Receives the traffic of the tunnels that these credentials start.
resource "tunnel_group_backend" "app" {
  for_each = local.clients
  labels   = { app = each.key }

  lifecycle {
    create_before_destroy = true
  }
}
