# An HTTPS edge by its host and port.
data "tunnel_https_edge" "by_hostport" {
  hostport = "shop.example.com:443"
}

# An HTTPS edge by its ID.
data "tunnel_https_edge" "shop" {
  id = "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "hostports" {
  value = data.tunnel_https_edge.shop.hostports
}
