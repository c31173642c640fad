# Basic usage

# Traffic goes to the tunnels, and to the maintenance page if no tunnel is available.
resource "tunnel_failover_backend" "web" {
  backends = [tunnel_group_backend.web.id, tunnel_http_response_backend.maintenance.id]

  lifecycle {
    create_before_destroy = true
  }
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
