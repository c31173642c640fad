import {
  to = tunnel_https_edge_route_compression.www
  id = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde/edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV"
}
