# Basic usage

resource "tunnel_tls_edge" "ingress" {
  hostports = ["secure.example.com:443"]
}
