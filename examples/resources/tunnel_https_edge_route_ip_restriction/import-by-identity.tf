import {
  to = tunnel_https_edge_route_ip_restriction.admin
  identity = {
    edge_id  = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
    route_id = "edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV"
  }
}
