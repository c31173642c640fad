# The import id is edge_id/id.
terraform import tunnel_https_edge_route.api edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde/edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV
