# A restriction that is turned off for a while

resource "tunnel_https_edge" "www" {
  hostports = ["www.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_https_edge_route" "preview" {
  edge_id    = tunnel_https_edge.www.id
  match_type = "path_prefix"
  match      = "/preview/"
}

resource "tunnel_ip_policy" "testers" {
  description = "Testers"

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_https_edge_route_ip_restriction" "preview" {
  edge_id       = tunnel_https_edge.www.id
  route_id      = tunnel_https_edge_route.preview.id
  enabled       = false
  ip_policy_ids = [tunnel_ip_policy.testers.id]
}
