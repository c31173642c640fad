data "tunnel_https_edge_route" "api" {
  edge_id = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  id      = "edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV"
}

output "match" {
  value = data.tunnel_https_edge_route.api.match
}
