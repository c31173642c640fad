# A complete stack for an empty account: a web shop behind an HTTPS edge, a database
# port for one office network, and an SSH bastion host.

terraform {
  required_providers {
    tunnel = {
      source  = "tunnel-service/tunnel"
      version = "~> 0.1.0"
    }
  }
}

provider "tunnel" {} # TUNNEL_BASE_URL and TUNNEL_API_KEY in the environment

variable "office_network" {
  description = "Network that can connect to the database."
  type        = string
  default     = "192.0.2.0/24"
}

variable "bastion_host_key" {
  description = "Public SSH host key of the bastion, from /etc/ssh/ssh_host_ed25519_key.pub."
  type        = string
}

# Web shop with failover: blue, then green, then a maintenance page. With
# create_before_destroy, Terraform updates the failover backend before it deletes an
# old backend.

resource "tunnel_group_backend" "shop" {
  for_each    = toset(["blue", "green"])
  description = "Web shop, ${each.key}"
  labels      = { app = "shop", color = each.key }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_http_response_backend" "maintenance" {
  description = "Maintenance page"
  body        = "<h1>Back soon</h1>"
  headers     = { Content-Type = "text/html", Retry-After = "120" }
  status_code = 503

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_failover_backend" "shop" {
  description = "Web shop: blue, then green, then the maintenance page"
  backends = [
    tunnel_group_backend.shop["blue"].id,
    tunnel_group_backend.shop["green"].id,
    tunnel_http_response_backend.maintenance.id,
  ]

  lifecycle {
    create_before_destroy = true
  }
}

# The service gets a certificate for the domain and renews it. To use your own, set
# certificate_id instead.
resource "tunnel_reserved_domain" "shop" {
  description = "Web shop"
  domain      = "shop.example.com"

  certificate_management_policy = {
    authority = "letsencrypt"
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_https_edge" "shop" {
  description = "Web shop"
  hostports   = ["${tunnel_reserved_domain.shop.domain}:443"]
}

resource "tunnel_https_edge_route" "pages" {
  edge_id    = tunnel_https_edge.shop.id
  match_type = "path_prefix"
  match      = "/"
}

resource "tunnel_https_edge_route_backend" "pages" {
  edge_id    = tunnel_https_edge.shop.id
  route_id   = tunnel_https_edge_route.pages.id
  backend_id = tunnel_failover_backend.shop.id
}

resource "tunnel_https_edge_route_compression" "pages" {
  edge_id  = tunnel_https_edge.shop.id
  route_id = tunnel_https_edge_route.pages.id
}

resource "tunnel_https_edge_route" "live" {
  edge_id    = tunnel_https_edge.shop.id
  match_type = "exact_path"
  match      = "/live"
}

resource "tunnel_https_edge_route_backend" "live" {
  edge_id    = tunnel_https_edge.shop.id
  route_id   = tunnel_https_edge_route.live.id
  backend_id = tunnel_failover_backend.shop.id
}

resource "tunnel_https_edge_route_websocket_tcp_converter" "live" {
  edge_id  = tunnel_https_edge.shop.id
  route_id = tunnel_https_edge_route.live.id
}

# Database, only for the office network.

resource "tunnel_group_backend" "database" {
  description = "Database"
  labels      = { app = "database" }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_reserved_address" "database" {
  description = "Database, for the office"

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tcp_edge" "database" {
  description = "Database, for the office"
  hostports   = [tunnel_reserved_address.database.addr]
}

resource "tunnel_tcp_edge_backend" "database" {
  edge_id    = tunnel_tcp_edge.database.id
  backend_id = tunnel_group_backend.database.id

  # Without a policy, the edge lets everybody in: connections must not start before it
  # exists, and must end before it is deleted.
  depends_on = [tunnel_tcp_edge_policy.database]
}

resource "tunnel_tcp_edge_policy" "database" {
  edge_id = tunnel_tcp_edge.database.id
  inbound = [{
    name        = "allow only the office network"
    expressions = []
    actions = [{
      type   = "restrict-ips"
      config = jsonencode({ enforce = true, allow = [var.office_network] })
    }]
  }]
}

# Bastion: clients trust the authority instead of each host key.

resource "tunnel_ssh_certificate_authority" "hosts" {
  description = "Signs the keys of SSH hosts"
}

resource "tunnel_ssh_host_certificate" "bastion" {
  description                  = "Bastion"
  ssh_certificate_authority_id = tunnel_ssh_certificate_authority.hosts.id
  public_key                   = var.bastion_host_key
  principals                   = ["bastion.example.com"]
  early_renewal_hours          = 720

  lifecycle {
    create_before_destroy = true
  }
}

# Events for changes of IP policies, which the service writes to its own log.

resource "tunnel_event_destination" "log" {
  description = "Log of the service"
  target      = { debug = { log = true } }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_event_subscription" "audit" {
  description     = "Audit"
  destination_ids = [tunnel_event_destination.log.id]
}

resource "tunnel_event_source" "audit" {
  for_each        = toset(["ip_policy_created.v0", "ip_policy_updated.v0", "ip_policy_deleted.v0"])
  subscription_id = tunnel_event_subscription.audit.id
  type            = each.key
}

output "shop_cname_target" {
  description = "Target of the CNAME record for shop.example.com."
  value       = tunnel_reserved_domain.shop.cname_target
}

output "database_address" {
  description = "Host and port of the database."
  value       = tunnel_reserved_address.database.addr
}

output "known_hosts_line" {
  description = "Line for ~/.ssh/known_hosts that makes clients trust all hosts of the authority."
  value       = provider::tunnel::known_hosts_line(["*.example.com"], tunnel_ssh_certificate_authority.hosts.public_key)
}

output "bastion_certificate" {
  description = "Content of the HostCertificate file of sshd on the bastion."
  value       = tunnel_ssh_host_certificate.bastion.certificate
}
