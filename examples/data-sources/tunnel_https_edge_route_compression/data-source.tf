data "tunnel_https_edge_route_compression" "www" {
  edge_id  = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  route_id = "edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV"
}

output "enabled" {
  value = data.tunnel_https_edge_route_compression.www.enabled
}
