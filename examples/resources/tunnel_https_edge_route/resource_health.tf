# A fixed response for one path, and tunnels for the rest

resource "tunnel_https_edge" "www" {
  hostports = ["www.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_https_edge_route" "health" {
  description = "Health check of the load balancer"
  edge_id     = tunnel_https_edge.www.id
  match_type  = "exact_path"
  match       = "/health"
}

resource "tunnel_https_edge_route_backend" "health" {
  edge_id    = tunnel_https_edge.www.id
  route_id   = tunnel_https_edge_route.health.id
  backend_id = tunnel_http_response_backend.health.id
}

resource "tunnel_http_response_backend" "health" {
  body = "ok"

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_https_edge_route" "all" {
  edge_id    = tunnel_https_edge.www.id
  match_type = "path_prefix"
  match      = "/"
}

resource "tunnel_https_edge_route_backend" "all" {
  edge_id    = tunnel_https_edge.www.id
  route_id   = tunnel_https_edge_route.all.id
  backend_id = tunnel_group_backend.www.id
}

resource "tunnel_group_backend" "www" {
  labels = { app = "www" }

  lifecycle {
    create_before_destroy = true
  }
}
