# Redirect an old path

resource "tunnel_http_response_backend" "moved" {
  description = "The documentation has moved"
  body        = "<a href=\"https://docs.example.com/\">The documentation has moved.</a>"
  headers     = { Content-Type = "text/html", Location = "https://docs.example.com/" }
  status_code = 301

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_https_edge" "www" {
  hostports = ["www.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_https_edge_route" "docs" {
  edge_id    = tunnel_https_edge.www.id
  match_type = "path_prefix"
  match      = "/docs/"
}

resource "tunnel_https_edge_route_backend" "docs" {
  edge_id    = tunnel_https_edge.www.id
  route_id   = tunnel_https_edge_route.docs.id
  backend_id = tunnel_http_response_backend.moved.id
}
