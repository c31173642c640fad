list "tunnel_tls_certificate" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_reserved_domain" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_https_edge" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_reserved_address" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_tcp_edge" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_tls_edge" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_group_backend" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_http_response_backend" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_failover_backend" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_https_edge_route" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_https_edge_route_backend" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_tcp_edge_backend" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_tls_edge_backend" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_ip_policy" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_tcp_edge_policy" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_tls_edge_policy" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_https_edge_route_ip_restriction" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_tcp_edge_ip_restriction" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_tls_edge_ip_restriction" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_bot_user" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_api_key" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_event_destination" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_event_subscription" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_event_source" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_ip_policy_rule" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_https_edge_route_compression" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_https_edge_route_websocket_tcp_converter" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_ssh_certificate_authority" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_ssh_credential" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_ssh_host_certificate" "account" {
  provider = tunnel
  limit    = 10000
}
