resource "tunnel_https_edge" "shop" {
  description = "Web shop"
  hostports   = ["shop.example.com:443"]
}

resource "tunnel_https_edge_route" "all" {
  edge_id    = tunnel_https_edge.shop.id
  match_type = "path_prefix"
  match      = "/"
}
