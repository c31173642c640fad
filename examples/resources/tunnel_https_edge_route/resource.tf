resource "tunnel_https_edge_route" "api" {
  edge_id     = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  description = "API"
  match_type  = "path_prefix"
  match       = "/api/"
}
