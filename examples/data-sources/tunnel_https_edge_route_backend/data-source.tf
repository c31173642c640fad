data "tunnel_https_edge_route_backend" "shop" {
  edge_id  = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  route_id = "edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV"
}

output "backend_id" {
  value = data.tunnel_https_edge_route_backend.shop.backend_id
}
