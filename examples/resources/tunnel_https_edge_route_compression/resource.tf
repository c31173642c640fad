# Basic usage

resource "tunnel_https_edge_route_compression" "www" {
  edge_id  = tunnel_https_edge.www.id
  route_id = tunnel_https_edge_route.www.id
}

resource "tunnel_https_edge" "www" {
  hostports = ["www.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_https_edge_route" "www" {
  edge_id    = tunnel_https_edge.www.id
  match_type = "path_prefix"
  match      = "/"
}
