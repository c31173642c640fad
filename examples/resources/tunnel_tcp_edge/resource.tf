# Basic usage

resource "tunnel_tcp_edge" "ingress" {
  hostports = ["1.tcp.example.com:20001"]
}
