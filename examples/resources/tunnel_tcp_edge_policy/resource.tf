# Basic usage

resource "tunnel_tcp_edge_policy" "ssh" {
  edge_id = tunnel_tcp_edge.ssh.id

  inbound = [{
    name        = "deny one client"
    expressions = ["conn.client_ip == '192.0.2.1'"]
    actions     = [{ type = "deny" }]
  }]
}

resource "tunnel_tcp_edge" "ssh" {
  hostports = ["1.tcp.example.com:20001"] # a reserved address
}
