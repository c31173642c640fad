terraform {
  required_providers {
    tunnel = {
      source  = "tunnel-service/tunnel"
      version = "~> 0.1.0"
    }
  }
}

resource "tunnel_ssh_certificate_authority" "hosts" {
  description = "Signs the host key of the SSH gateway"
}

resource "tunnel_ssh_credential" "me" {
  description = "Can open tunnels with app=web, and nothing else"
  public_key  = file("${path.module}/id_ed25519.pub")
  acl         = ["bind:app=web"]
}

resource "tunnel_group_backend" "web" {
  labels = { app = "web" }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_http_response_backend" "maintenance" {
  body        = "Back soon"
  status_code = 503

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_failover_backend" "web" {
  backends = [tunnel_group_backend.web.id, tunnel_http_response_backend.maintenance.id]

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_https_edge" "web" {
  hostports = ["www.example.com:443"]
}

resource "tunnel_https_edge_route" "all" {
  edge_id    = tunnel_https_edge.web.id
  match_type = "path_prefix"
  match      = "/"
}

resource "tunnel_https_edge_route_backend" "all" {
  edge_id    = tunnel_https_edge.web.id
  route_id   = tunnel_https_edge_route.all.id
  backend_id = tunnel_failover_backend.web.id
}

output "known_hosts" {
  value = provider::tunnel::known_hosts_line(["[localhost]:2222"], tunnel_ssh_certificate_authority.hosts.public_key)
}
