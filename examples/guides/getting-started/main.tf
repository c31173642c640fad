terraform {
  required_providers {
    tunnel = {
      source  = "tunnel-service/tunnel"
      version = "~> 0.1.0"
    }
  }
}

provider "tunnel" {} # TUNNEL_BASE_URL and TUNNEL_API_KEY in the environment

resource "tunnel_ssh_credential" "laptop" {
  description = "Alice's laptop"
  public_key  = file("~/.ssh/id_ed25519.pub")
  acl         = ["bind:*.dev.example.com"]
}

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

resource "tunnel_failover_backend" "web" {
  description = "Blue before green"
  backends    = [tunnel_group_backend.blue.id, tunnel_group_backend.green.id]

  lifecycle {
    create_before_destroy = true
  }
}

output "backend" {
  value = tunnel_failover_backend.web.id
}
