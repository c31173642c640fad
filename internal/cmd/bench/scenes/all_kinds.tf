# 150 of each kind, so 3,000 resources and an SSH certificate authority.
locals { n = 150 }
resource "tunnel_tls_edge" "test" { count = local.n }
resource "tunnel_tls_edge_policy" "test" {
  count   = local.n
  edge_id = tunnel_tls_edge.test[count.index].id
  inbound = [{ expressions = ["conn.client_ip == '192.0.2.1'"], actions = [{ type = "deny" }] }]
}
resource "tunnel_tls_edge_backend" "test" {
  count      = local.n
  edge_id    = tunnel_tls_edge.test[count.index].id
  backend_id = tunnel_group_backend.test[count.index].id
}
resource "tunnel_tcp_edge" "test" { count = local.n }
resource "tunnel_tcp_edge_policy" "test" {
  count   = local.n
  edge_id = tunnel_tcp_edge.test[count.index].id
  inbound = [{ expressions = ["conn.client_ip == '192.0.2.1'"], actions = [{ type = "deny" }] }]
}
resource "tunnel_tcp_edge_backend" "test" {
  count      = local.n
  edge_id    = tunnel_tcp_edge.test[count.index].id
  backend_id = tunnel_group_backend.test[count.index].id
}
resource "tunnel_https_edge" "test" { count = local.n }
resource "tunnel_https_edge_route" "test" {
  count      = local.n
  edge_id    = tunnel_https_edge.test[count.index].id
  match_type = "path_prefix"
  match      = "/"
}
resource "tunnel_https_edge_route_backend" "test" {
  count      = local.n
  edge_id    = tunnel_https_edge.test[count.index].id
  route_id   = tunnel_https_edge_route.test[count.index].id
  backend_id = tunnel_group_backend.test[count.index].id
}
resource "tunnel_https_edge_route_compression" "test" {
  count    = local.n
  edge_id  = tunnel_https_edge.test[count.index].id
  route_id = tunnel_https_edge_route.test[count.index].id
}
resource "tunnel_https_edge_route_websocket_tcp_converter" "test" {
  count    = local.n
  edge_id  = tunnel_https_edge.test[count.index].id
  route_id = tunnel_https_edge_route.test[count.index].id
}
resource "tunnel_event_subscription" "test" { count = local.n }
resource "tunnel_event_source" "test" {
  count           = 2 * local.n
  subscription_id = tunnel_event_subscription.test[count.index % local.n].id
  type            = count.index < local.n ? "ip_policy_created.v0" : "ip_policy_updated.v0"
}
resource "tunnel_group_backend" "test" {
  count  = local.n
  labels = { app = "a${count.index}" }
}
resource "tunnel_failover_backend" "test" {
  count    = local.n
  backends = [tunnel_group_backend.test[count.index].id]
}
resource "tunnel_http_response_backend" "test" {
  count = local.n
  body  = "Back soon"
}
resource "tunnel_ssh_credential" "test" {
  count      = local.n
  public_key = local.keys[count.index]
}
resource "tunnel_ssh_certificate_authority" "test" {}
resource "tunnel_ssh_host_certificate" "test" {
  count                        = local.n
  ssh_certificate_authority_id = tunnel_ssh_certificate_authority.test.id
  public_key                   = local.keys[local.n + count.index]
}
resource "tunnel_tls_certificate" "test" {
  count           = local.n
  certificate_pem = local.chains[count.index]
  private_key_pem = local.private_keys[count.index]
}
