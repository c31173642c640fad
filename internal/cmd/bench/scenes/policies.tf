resource "tunnel_tls_edge" "test" { count = 100 }
resource "tunnel_tls_edge_policy" "test" {
  count   = 100
  edge_id = tunnel_tls_edge.test[count.index].id
  inbound = [for i in range(100) : {
    name        = "rule ${i}"
    expressions = ["conn.client_ip == '192.0.2.${i}'"]
    actions     = [{ type = "log", config = jsonencode({ metadata = { rule = i } }) }, { type = "deny" }]
  }]
}
