# Compress all routes but one

resource "tunnel_https_edge" "shop" {
  hostports = ["shop.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_https_edge_route" "shop" {
  for_each   = toset(["/", "/api/", "/videos/"])
  edge_id    = tunnel_https_edge.shop.id
  match_type = "path_prefix"
  match      = each.key
}

resource "tunnel_https_edge_route_compression" "shop" {
  for_each = tunnel_https_edge_route.shop
  edge_id  = each.value.edge_id
  route_id = each.value.id
  enabled  = each.key != "/videos/"
}
