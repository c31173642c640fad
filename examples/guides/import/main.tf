terraform {
  required_providers {
    tunnel = {
      source = "tunnel-service/tunnel"
    }
  }
}

provider "tunnel" {}

data "tunnel_tls_certificates" "account" {}
data "tunnel_ssh_host_certificates" "account" {}
data "tunnel_ssh_credentials" "account" {}
data "tunnel_group_backends" "account" {}
data "tunnel_failover_backends" "account" {}

locals {
  account = {
    tunnel_tls_certificate      = data.tunnel_tls_certificates.account.tls_certificates[*].id
    tunnel_ssh_host_certificate = data.tunnel_ssh_host_certificates.account.ssh_host_certificates[*].id
    tunnel_ssh_credential       = data.tunnel_ssh_credentials.account.ssh_credentials[*].id
    tunnel_group_backend        = data.tunnel_group_backends.account.group_backends[*].id
    tunnel_failover_backend     = data.tunnel_failover_backends.account.failover_backends[*].id
  }
}

output "import_blocks" {
  value = join("\n", flatten([
    for type, ids in local.account : [
      for id in ids : "import {\n  to = ${type}.${replace(id, "/[^A-Za-z0-9_-]/", "_")}\n  id = \"${id}\"\n  provider = tunnel\n}\n"
    ]
  ]))
}
