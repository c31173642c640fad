# Compares what the account holds with the states of all configurations that
# manage it. Save each state first, in the folder of its configuration:
#
#   terraform state pull > .../orphans/states/NAME.json

terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}

provider "tunnel" {} # TUNNEL_BASE_URL and TUNNEL_API_KEY in the environment

data "tunnel_ssh_host_certificates" "all" {}
data "tunnel_ssh_credentials" "all" {}
data "tunnel_tls_certificates" "all" {}
data "tunnel_failover_backends" "all" {}
data "tunnel_group_backends" "all" {}

locals {
  account = {
    tunnel_ssh_host_certificate = data.tunnel_ssh_host_certificates.all.ssh_host_certificates
    tunnel_ssh_credential       = data.tunnel_ssh_credentials.all.ssh_credentials
    tunnel_tls_certificate      = data.tunnel_tls_certificates.all.tls_certificates
    tunnel_failover_backend     = data.tunnel_failover_backends.all.failover_backends
    tunnel_group_backend        = data.tunnel_group_backends.all.group_backends
  }
  held = merge([for type, objects in local.account : { for object in objects : object.id => type }]...)

  states = [for file in fileset("${path.module}/states", "*.json") : jsondecode(file("${path.module}/states/${file}"))]
  managed = toset(flatten([
    for state in local.states : [
      for resource in state.resources : [
        for instance in resource.instances : instance.attributes.id
      ] if resource.mode == "managed" && contains(keys(local.account), resource.type)
    ]
  ]))
}

output "orphans" {
  description = "Resource type of each object that is in no state, by id."
  value       = { for id, type in local.held : id => type if !contains(local.managed, id) }
}
