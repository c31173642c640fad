# Maintenance page if no tunnel is available

resource "tunnel_https_edge" "www" {
  hostports = ["www.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_https_edge_route" "www" {
  edge_id    = tunnel_https_edge.www.id
  match_type = "path_prefix"
  match      = "/"
}

resource "tunnel_group_backend" "www" {
  labels = { app = "www" }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_http_response_backend" "maintenance" {
  description = "Maintenance page"
  body        = "<h1>Back soon</h1>"
  headers     = { Content-Type = "text/html", Retry-After = "120" }
  status_code = 503

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_failover_backend" "www" {
  backends = [tunnel_group_backend.www.id, tunnel_http_response_backend.maintenance.id]

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_https_edge_route_backend" "www" {
  edge_id    = tunnel_https_edge.www.id
  route_id   = tunnel_https_edge_route.www.id
  backend_id = tunnel_failover_backend.www.id
}
