# A TCP service behind a path of a web site

resource "tunnel_https_edge" "www" {
  hostports = ["www.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_https_edge_route" "database" {
  description = "Database over WebSocket"
  edge_id     = tunnel_https_edge.www.id
  match_type  = "exact_path"
  match       = "/database"
}

resource "tunnel_https_edge_route_websocket_tcp_converter" "database" {
  edge_id  = tunnel_https_edge.www.id
  route_id = tunnel_https_edge_route.database.id
}

# The tunnels of this backend receive the TCP traffic.
resource "tunnel_https_edge_route_backend" "database" {
  edge_id    = tunnel_https_edge.www.id
  route_id   = tunnel_https_edge_route.database.id
  backend_id = tunnel_group_backend.database.id
}

resource "tunnel_group_backend" "database" {
  labels = { app = "database" }

  lifecycle {
    create_before_destroy = true
  }
}
