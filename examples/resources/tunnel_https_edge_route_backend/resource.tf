resource "tunnel_https_edge_route_backend" "shop" {
  edge_id    = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  route_id   = "edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV"
  backend_id = tunnel_group_backend.shop.id
}

resource "tunnel_group_backend" "shop" {
  labels = { app = "shop" }

  lifecycle {
    create_before_destroy = true
  }
}
