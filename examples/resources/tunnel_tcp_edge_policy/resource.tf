# Basic usage

resource "tunnel_tcp_edge_policy" "ssh" {
  edge_id = tunnel_tcp_edge.ssh.id

  inbound = [{
    name        = "deny one client"
    expressions = ["conn.client_ip == '192.0.2.1'"]
    actions     = [{ type = "deny" }]
  }]
}

resource "tunnel_reserved_address" "ssh" {
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tcp_edge" "ssh" {
  hostports = [tunnel_reserved_address.ssh.addr]
}
