# Compares the objects in the account with all Terraform states. First save each state,
# in the directory of its configuration:
#
#   terraform state pull > ~/orphans/states/NAME.json

terraform {
  required_providers {
    tunnel = {
      source  = "tunnel-service/tunnel"
      version = "~> 0.1.0"
    }
  }
}

provider "tunnel" {} # TUNNEL_BASE_URL and TUNNEL_API_KEY in the environment

data "tunnel_tls_certificates" "all" {}
data "tunnel_reserved_domains" "all" {}
data "tunnel_https_edges" "all" {}
data "tunnel_reserved_addresses" "all" {}
data "tunnel_tcp_edges" "all" {}
data "tunnel_tls_edges" "all" {}
data "tunnel_group_backends" "all" {}
data "tunnel_http_response_backends" "all" {}
data "tunnel_failover_backends" "all" {}
data "tunnel_https_edge_routes" "all" {}
data "tunnel_ip_policies" "all" {}
data "tunnel_bot_users" "all" {}
data "tunnel_api_keys" "all" {}
data "tunnel_event_destinations" "all" {}
data "tunnel_event_subscriptions" "all" {}
data "tunnel_ip_policy_rules" "all" {}
data "tunnel_ssh_certificate_authorities" "all" {}
data "tunnel_ssh_credentials" "all" {}
data "tunnel_ssh_host_certificates" "all" {}

locals {
  account = {
    tunnel_tls_certificate           = data.tunnel_tls_certificates.all.tls_certificates
    tunnel_reserved_domain           = data.tunnel_reserved_domains.all.reserved_domains
    tunnel_https_edge                = data.tunnel_https_edges.all.https_edges
    tunnel_reserved_address          = data.tunnel_reserved_addresses.all.reserved_addresses
    tunnel_tcp_edge                  = data.tunnel_tcp_edges.all.tcp_edges
    tunnel_tls_edge                  = data.tunnel_tls_edges.all.tls_edges
    tunnel_group_backend             = data.tunnel_group_backends.all.group_backends
    tunnel_http_response_backend     = data.tunnel_http_response_backends.all.http_response_backends
    tunnel_failover_backend          = data.tunnel_failover_backends.all.failover_backends
    tunnel_https_edge_route          = data.tunnel_https_edge_routes.all.https_edge_routes
    tunnel_ip_policy                 = data.tunnel_ip_policies.all.ip_policies
    tunnel_bot_user                  = data.tunnel_bot_users.all.bot_users
    tunnel_api_key                   = data.tunnel_api_keys.all.api_keys
    tunnel_event_destination         = data.tunnel_event_destinations.all.event_destinations
    tunnel_event_subscription        = data.tunnel_event_subscriptions.all.event_subscriptions
    tunnel_ip_policy_rule            = data.tunnel_ip_policy_rules.all.ip_policy_rules
    tunnel_ssh_certificate_authority = data.tunnel_ssh_certificate_authorities.all.ssh_certificate_authorities
    tunnel_ssh_credential            = data.tunnel_ssh_credentials.all.ssh_credentials
    tunnel_ssh_host_certificate      = data.tunnel_ssh_host_certificates.all.ssh_host_certificates
  }
  # Grouped, because a list can contain an ID twice if the account changes while it is read.
  existing = { for object in flatten([
    for type, objects in local.account : [for object in objects : {
      id = object.id
      about = merge({ type = type }, {
        for name in [
          "created_at", "description", "name", "domain", "addr", "hostports", "labels", "match", "cidr", "action", "ip_policy_id", "status_code",
          "subject_common_name", "not_after", "issued_at", "principals", "public_key"
        ] :
        name => object[name] if try(object[name], null) != null
      })
    }]
  ]) : object.id => object.about... }

  files = { for name in fileset("${path.module}/states", "*.json") : name => trimspace(file("${path.module}/states/${name}")) }

  # A file is empty if the configuration has no state, or if Terraform was killed while
  # it wrote the state.
  empty  = [for name, content in local.files : name if content == ""]
  states = [for content in values(local.files) : jsondecode(content) if content != ""]
  managed = toset(flatten([
    for state in local.states : [
      for resource in state.resources : [
        for instance in resource.instances : instance.attributes.id
      ] if resource.mode == "managed" && contains(keys(local.account), resource.type)
    ]
  ]))
}

output "orphans" {
  description = "Objects that are not in any state, by ID."
  value       = { for id, about in local.existing : id => about[0] if !contains(local.managed, id) }
}

output "empty_states" {
  description = "Files without a state: the objects of their configurations are listed as orphans."
  value       = local.empty
}
