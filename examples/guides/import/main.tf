terraform {
  required_providers {
    tunnel = {
      source  = "tunnel-service/tunnel"
      version = "~> 0.1.0"
    }
  }
}

provider "tunnel" {}

data "tunnel_tls_certificates" "account" {}
data "tunnel_reserved_domains" "account" {}
data "tunnel_https_edges" "account" {}
data "tunnel_reserved_addresses" "account" {}
data "tunnel_tcp_edges" "account" {}
data "tunnel_tls_edges" "account" {}
data "tunnel_group_backends" "account" {}
data "tunnel_http_response_backends" "account" {}
data "tunnel_failover_backends" "account" {}
data "tunnel_https_edge_routes" "account" {}
data "tunnel_https_edge_route_backends" "account" {}
data "tunnel_tcp_edge_backends" "account" {}
data "tunnel_tls_edge_backends" "account" {}
data "tunnel_ip_policies" "account" {}
data "tunnel_tcp_edge_policies" "account" {}
data "tunnel_tls_edge_policies" "account" {}
data "tunnel_https_edge_route_ip_restrictions" "account" {}
data "tunnel_tcp_edge_ip_restrictions" "account" {}
data "tunnel_tls_edge_ip_restrictions" "account" {}
data "tunnel_bot_users" "account" {}
data "tunnel_api_keys" "account" {}
data "tunnel_event_destinations" "account" {}
data "tunnel_event_subscriptions" "account" {}
data "tunnel_event_sources" "account" {}
data "tunnel_ip_policy_rules" "account" {}
data "tunnel_https_edge_route_compressions" "account" {}
data "tunnel_https_edge_route_websocket_tcp_converters" "account" {}
data "tunnel_ssh_certificate_authorities" "account" {}
data "tunnel_ssh_credentials" "account" {}
data "tunnel_ssh_host_certificates" "account" {}

# Objects by import ID and resource type, without the certificates that the service renews
# itself. Grouped, because a list can contain an object twice if the account changes while
# it is read.
locals {
  account = {
    tunnel_tls_certificate                          = { for o in data.tunnel_tls_certificates.account.tls_certificates : o.id => o... }
    tunnel_reserved_domain                          = { for o in data.tunnel_reserved_domains.account.reserved_domains : o.id => o... }
    tunnel_https_edge                               = { for o in data.tunnel_https_edges.account.https_edges : o.id => o... }
    tunnel_reserved_address                         = { for o in data.tunnel_reserved_addresses.account.reserved_addresses : o.id => o... }
    tunnel_tcp_edge                                 = { for o in data.tunnel_tcp_edges.account.tcp_edges : o.id => o... }
    tunnel_tls_edge                                 = { for o in data.tunnel_tls_edges.account.tls_edges : o.id => o... }
    tunnel_group_backend                            = { for o in data.tunnel_group_backends.account.group_backends : o.id => o... }
    tunnel_http_response_backend                    = { for o in data.tunnel_http_response_backends.account.http_response_backends : o.id => o... }
    tunnel_failover_backend                         = { for o in data.tunnel_failover_backends.account.failover_backends : o.id => o... }
    tunnel_https_edge_route                         = { for o in data.tunnel_https_edge_routes.account.https_edge_routes : "${o.edge_id}/${o.id}" => o... }
    tunnel_https_edge_route_backend                 = { for o in data.tunnel_https_edge_route_backends.account.https_edge_route_backends : "${o.edge_id}/${o.route_id}" => o... }
    tunnel_tcp_edge_backend                         = { for o in data.tunnel_tcp_edge_backends.account.tcp_edge_backends : o.edge_id => o... }
    tunnel_tls_edge_backend                         = { for o in data.tunnel_tls_edge_backends.account.tls_edge_backends : o.edge_id => o... }
    tunnel_ip_policy                                = { for o in data.tunnel_ip_policies.account.ip_policies : o.id => o... }
    tunnel_tcp_edge_policy                          = { for o in data.tunnel_tcp_edge_policies.account.tcp_edge_policies : o.edge_id => o... }
    tunnel_tls_edge_policy                          = { for o in data.tunnel_tls_edge_policies.account.tls_edge_policies : o.edge_id => o... }
    tunnel_https_edge_route_ip_restriction          = { for o in data.tunnel_https_edge_route_ip_restrictions.account.https_edge_route_ip_restrictions : "${o.edge_id}/${o.route_id}" => o... }
    tunnel_tcp_edge_ip_restriction                  = { for o in data.tunnel_tcp_edge_ip_restrictions.account.tcp_edge_ip_restrictions : o.edge_id => o... }
    tunnel_tls_edge_ip_restriction                  = { for o in data.tunnel_tls_edge_ip_restrictions.account.tls_edge_ip_restrictions : o.edge_id => o... }
    tunnel_bot_user                                 = { for o in data.tunnel_bot_users.account.bot_users : o.id => o... }
    tunnel_api_key                                  = { for o in data.tunnel_api_keys.account.api_keys : o.id => o... }
    tunnel_event_destination                        = { for o in data.tunnel_event_destinations.account.event_destinations : o.id => o... }
    tunnel_event_subscription                       = { for o in data.tunnel_event_subscriptions.account.event_subscriptions : o.id => o... }
    tunnel_event_source                             = { for o in data.tunnel_event_sources.account.event_sources : "${o.subscription_id}/${o.type}" => o... }
    tunnel_ip_policy_rule                           = { for o in data.tunnel_ip_policy_rules.account.ip_policy_rules : o.id => o... }
    tunnel_https_edge_route_compression             = { for o in data.tunnel_https_edge_route_compressions.account.https_edge_route_compressions : "${o.edge_id}/${o.route_id}" => o... }
    tunnel_https_edge_route_websocket_tcp_converter = { for o in data.tunnel_https_edge_route_websocket_tcp_converters.account.https_edge_route_websocket_tcp_converters : "${o.edge_id}/${o.route_id}" => o... }
    tunnel_ssh_certificate_authority                = { for o in data.tunnel_ssh_certificate_authorities.account.ssh_certificate_authorities : o.id => o... }
    tunnel_ssh_credential                           = { for o in data.tunnel_ssh_credentials.account.ssh_credentials : o.id => o... }
    tunnel_ssh_host_certificate                     = { for o in data.tunnel_ssh_host_certificates.account.ssh_host_certificates : o.id => o... }
  }
}

# A comment in front of each block says which object it is.
output "import_blocks" {
  value = join("\n", flatten([
    for type, objects in local.account : [
      for id, o in objects : "# ${type} ${jsonencode({
        for name in [
          "created_at", "description", "name", "domain", "addr", "hostports", "labels", "match", "cidr", "action", "ip_policy_id", "status_code",
          "subject_common_name", "not_after", "principals", "public_key", "backend_id", "ip_policy_ids"
        ] :
        name => o[0][name] if try(o[0][name], null) != null
      })}\nimport {\n  to = ${type}.${replace(id, "/[^A-Za-z0-9_-]/", "_")}\n  id = \"${id}\"\n  provider = tunnel\n}\n"
    ]
  ]))
}
