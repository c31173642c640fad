# Tunnels of one edge

resource "tunnel_reserved_address" "database" {
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tcp_edge" "database" {
  hostports = [tunnel_reserved_address.database.addr]
}

# Agents and SSH clients start their tunnels with these two labels.
resource "tunnel_group_backend" "database" {
  description = "Tunnels of the database"
  metadata    = jsonencode({ team = "platform" })
  labels = {
    edge = tunnel_tcp_edge.database.id
    env  = "prod"
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tcp_edge_backend" "database" {
  edge_id    = tunnel_tcp_edge.database.id
  backend_id = tunnel_group_backend.database.id
}

# Allows this client to start tunnels with these labels.
resource "tunnel_ssh_credential" "database" {
  public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFd7hpR9NXLUbgYVqFgE4TyxE9hWyHlTzhZcV1kUGxSl database"
  acl        = ["bind:edge=${tunnel_tcp_edge.database.id}", "bind:env=prod"]
}
