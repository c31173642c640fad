# Basic usage

resource "tunnel_https_edge_route" "api" {
  edge_id    = tunnel_https_edge.shop.id
  match_type = "path_prefix"
  match      = "/api/"
}

resource "tunnel_https_edge" "shop" {
  hostports = ["shop.example.com:443"] # a tunnel_reserved_domain
}
