import {
  to = tunnel_https_edge.shop
  id = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
