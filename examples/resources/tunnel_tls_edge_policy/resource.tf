# Basic usage

resource "tunnel_tls_edge_policy" "ingress" {
  edge_id = tunnel_tls_edge.ingress.id

  inbound = [{
    name        = "deny one client"
    expressions = ["conn.client_ip == '192.0.2.1'"]
    actions     = [{ type = "deny" }]
  }]
}

resource "tunnel_tls_edge" "ingress" {
  hostports = ["secure.example.com:443"] # a tunnel_reserved_domain
}
