resource "tunnel_group_backend" "blue" {
  labels = { deployment = "blue" }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_group_backend" "green" {
  labels = { deployment = "green" }

  lifecycle {
    create_before_destroy = true
  }
}

# Traffic goes to blue, and to green when blue is down.
resource "tunnel_failover_backend" "web" {
  description = "Blue before green"
  metadata    = jsonencode({ team = "platform" })
  backends    = [tunnel_group_backend.blue.id, tunnel_group_backend.green.id]

  lifecycle {
    create_before_destroy = true
  }
}
