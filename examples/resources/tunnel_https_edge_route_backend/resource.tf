# Basic usage

resource "tunnel_https_edge_route_backend" "shop" {
  edge_id    = tunnel_https_edge.shop.id
  route_id   = tunnel_https_edge_route.shop.id
  backend_id = tunnel_group_backend.shop.id
}

resource "tunnel_https_edge" "shop" {
  hostports = ["shop.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_https_edge_route" "shop" {
  edge_id    = tunnel_https_edge.shop.id
  match_type = "path_prefix"
  match      = "/"
}

resource "tunnel_group_backend" "shop" {
  labels = { app = "shop" }

  lifecycle {
    create_before_destroy = true
  }
}
