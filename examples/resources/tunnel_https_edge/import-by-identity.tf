import {
  to = tunnel_https_edge.shop
  identity = {
    id = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
