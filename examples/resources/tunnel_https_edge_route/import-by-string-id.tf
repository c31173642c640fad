import {
  to = tunnel_https_edge_route.api
  id = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde/edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV"
}
