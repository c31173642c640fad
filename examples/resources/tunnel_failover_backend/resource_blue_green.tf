# Blue-green deployment of an HTTPS route

variable "live" {
  description = "Deployment that receives the traffic first."
  type        = string
  default     = "blue"
}

resource "tunnel_group_backend" "shop" {
  for_each    = toset(["blue", "green"])
  description = "Shop, ${each.key}"
  labels      = { app = "shop", deployment = each.key }

  lifecycle {
    create_before_destroy = true
  }
}

# The other deployment receives the traffic if the live one is down.
resource "tunnel_failover_backend" "shop" {
  description = "Shop, ${var.live} first"
  backends = concat(
    [tunnel_group_backend.shop[var.live].id],
    [for name, backend in tunnel_group_backend.shop : backend.id if name != var.live],
  )

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_https_edge" "shop" {
  hostports = ["shop.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_https_edge_route" "shop" {
  edge_id    = tunnel_https_edge.shop.id
  match_type = "path_prefix"
  match      = "/"
}

resource "tunnel_https_edge_route_backend" "shop" {
  edge_id    = tunnel_https_edge.shop.id
  route_id   = tunnel_https_edge_route.shop.id
  backend_id = tunnel_failover_backend.shop.id
}
