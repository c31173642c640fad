import {
  to = tunnel_https_edge_route_ip_restriction.admin
  id = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde/edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV"
}
