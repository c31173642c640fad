# Two routes with their own backends

resource "tunnel_reserved_domain" "www" {
  domain = "www.example.org"

  # Without this, Terraform deletes the old domain before the edge uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_https_edge" "www" {
  description = "Web site and API"
  hostports   = ["${tunnel_reserved_domain.www.domain}:443"]
}

resource "tunnel_https_edge_route" "www" {
  for_each    = { pages = "/", api = "/api/" }
  description = each.key
  edge_id     = tunnel_https_edge.www.id
  match_type  = "path_prefix"
  match       = each.value
}

resource "tunnel_group_backend" "www" {
  for_each = tunnel_https_edge_route.www
  labels   = { app = each.key }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_https_edge_route_backend" "www" {
  for_each   = tunnel_https_edge_route.www
  edge_id    = each.value.edge_id
  route_id   = each.value.id
  backend_id = tunnel_group_backend.www[each.key].id
}
