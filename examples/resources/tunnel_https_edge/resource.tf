# Basic usage

resource "tunnel_https_edge" "shop" {
  hostports = ["shop.example.com:443"]
}
