import {
  to = tunnel_https_edge_route.api
  identity = {
    edge_id = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
    id      = "edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV"
  }
}
