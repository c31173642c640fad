# Basic usage

resource "tunnel_https_edge_route_websocket_tcp_converter" "ssh" {
  edge_id  = tunnel_https_edge.ssh.id
  route_id = tunnel_https_edge_route.ssh.id
}

resource "tunnel_https_edge" "ssh" {
  hostports = ["ssh.example.com:443"] # a tunnel_reserved_domain
}

resource "tunnel_https_edge_route" "ssh" {
  edge_id    = tunnel_https_edge.ssh.id
  match_type = "path_prefix"
  match      = "/"
}
