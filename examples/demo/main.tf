# One object of each type. "make demo" applies this configuration and creates the key
# files. To run it yourself, set the variable keys to a directory with these files.

terraform {
  required_version = ">= 1.11" # for write-only private keys
  required_providers {
    tunnel = {
      source  = "tunnel-service/tunnel"
      version = "~> 0.1.0"
    }
  }
}

# The base URL and the API key are read from TUNNEL_BASE_URL and TUNNEL_API_KEY.
provider "tunnel" {}

variable "keys" {
  type        = string
  description = "Directory with host_key.pub, user_key.pub, certificate.pem and private_key.pem."
}

resource "tunnel_bot_user" "preview" {
  name = "preview environments"
}

# The state contains the token only encrypted, for whoever has the private key.
resource "tunnel_api_key" "preview" {
  description     = "Preview environments"
  owner_id        = tunnel_bot_user.preview.id
  token_recipient = "age1l9ty3qvsl9t5nhvzpd7m0klz64qe457d8fthf8747uvcc4x9m5lspty75d"
}

resource "tunnel_ssh_credential" "laptop" {
  description = "Starts the tunnels of preview environments"
  owner_id    = tunnel_bot_user.preview.id
  public_key  = file("${var.keys}/user_key.pub")
  acl         = ["bind:*.dev.example.com", "bind:app=web", "bind:deployment=*"]
}

resource "tunnel_ssh_certificate_authority" "hosts" {
  description = "Signs the keys of SSH hosts"
}

resource "tunnel_ssh_host_certificate" "bastion" {
  description                  = "Host key of the bastion"
  ssh_certificate_authority_id = tunnel_ssh_certificate_authority.hosts.id
  public_key                   = file("${var.keys}/host_key.pub")
  principals                   = ["bastion.example.com", "192.0.2.10"]
}

resource "tunnel_tls_certificate" "www" {
  description     = "www.example.com"
  certificate_pem = file("${var.keys}/certificate.pem")

  # The private key is sent to the service, but not stored in plans or the state.
  private_key_pem_wo         = file("${var.keys}/private_key.pem")
  private_key_pem_wo_version = 1

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_group_backend" "app" {
  for_each    = toset(["blue", "green"])
  description = "All tunnels of the ${each.key} deployment"
  labels      = { app = "web", deployment = each.key }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_http_response_backend" "maintenance" {
  description = "Maintenance page"
  body        = "Back soon"
  status_code = 503

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_failover_backend" "app" {
  description = "Blue, then green, then the maintenance page"
  metadata    = jsonencode({ team = "platform" })
  backends = [
    tunnel_group_backend.app["blue"].id,
    tunnel_group_backend.app["green"].id,
    tunnel_http_response_backend.maintenance.id,
  ]

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_reserved_domain" "www" {
  description    = "Demo, with the uploaded certificate"
  domain         = "www.example.com"
  certificate_id = tunnel_tls_certificate.www.id

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_reserved_domain" "demo" {
  description = "Demo, with certificates of the service"
  domain      = "*.demo.example.com"

  certificate_management_policy = {
    authority = "letsencrypt"
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_reserved_address" "demo" {
  description = "Demo"

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tls_edge" "demo" {
  description = "Demo"
  hostports   = [replace("${tunnel_reserved_domain.demo.domain}:443", "*", "tls")]
}

resource "tunnel_tls_edge_backend" "demo" {
  edge_id    = tunnel_tls_edge.demo.id
  backend_id = tunnel_failover_backend.app.id

  # Without a policy and a restriction, the edge lets everybody in: connections must not
  # start before they exist, and must end before they are deleted.
  depends_on = [tunnel_tls_edge_policy.demo, tunnel_tls_edge_ip_restriction.demo]
}

resource "tunnel_tls_edge_policy" "demo" {
  edge_id = tunnel_tls_edge.demo.id
  inbound = [
    {
      name        = "block known bad clients"
      expressions = ["conn.tls.ja3 == '579ccef312d18482fc42e2b822ca2430'"]
      actions = [
        { type = "log", config = jsonencode({ metadata = { reason = "ja3", owner = { team = "edge" } } }) },
        { type = "deny" },
      ]
    },
  ]
}

resource "tunnel_tcp_edge" "demo" {
  description = "Demo"
  hostports   = [tunnel_reserved_address.demo.addr]
}

resource "tunnel_tcp_edge_backend" "demo" {
  edge_id    = tunnel_tcp_edge.demo.id
  backend_id = tunnel_group_backend.app["blue"].id
  depends_on = [tunnel_tcp_edge_policy.demo, tunnel_tcp_edge_ip_restriction.demo]
}

resource "tunnel_tcp_edge_policy" "demo" {
  edge_id = tunnel_tcp_edge.demo.id
  inbound = [
    {
      name        = "allow only the office network"
      expressions = []
      actions     = [{ type = "restrict-ips", config = jsonencode({ enforce = true, allow = ["203.0.113.0/24"] }) }]
    },
  ]
}

resource "tunnel_https_edge" "demo" {
  description = "Demo"
  hostports   = ["${tunnel_reserved_domain.www.domain}:443"]
}

resource "tunnel_https_edge_route" "demo" {
  edge_id    = tunnel_https_edge.demo.id
  match_type = "path_prefix"
  match      = "/"
}

resource "tunnel_https_edge_route_backend" "demo" {
  edge_id    = tunnel_https_edge.demo.id
  route_id   = tunnel_https_edge_route.demo.id
  backend_id = tunnel_failover_backend.app.id
  depends_on = [tunnel_https_edge_route_ip_restriction.demo]
}

resource "tunnel_https_edge_route_compression" "demo" {
  edge_id  = tunnel_https_edge.demo.id
  route_id = tunnel_https_edge_route.demo.id
}

resource "tunnel_https_edge_route_websocket_tcp_converter" "demo" {
  edge_id  = tunnel_https_edge.demo.id
  route_id = tunnel_https_edge_route.demo.id
}

# Only the office can reach what the edges serve.
resource "tunnel_ip_policy" "office" {
  description = "Office"
}

resource "tunnel_ip_policy_rule" "office" {
  ip_policy_id = tunnel_ip_policy.office.id
  action       = "allow"
  cidr         = "192.0.2.0/24"
}

resource "tunnel_tls_edge_ip_restriction" "demo" {
  edge_id       = tunnel_tls_edge.demo.id
  ip_policy_ids = [tunnel_ip_policy.office.id]
}

resource "tunnel_tcp_edge_ip_restriction" "demo" {
  edge_id       = tunnel_tcp_edge.demo.id
  ip_policy_ids = [tunnel_ip_policy.office.id]
}

resource "tunnel_https_edge_route_ip_restriction" "demo" {
  edge_id       = tunnel_https_edge.demo.id
  route_id      = tunnel_https_edge_route.demo.id
  ip_policy_ids = [tunnel_ip_policy.office.id]
}

resource "tunnel_event_destination" "log" {
  description = "Log of the service"
  target      = { debug = { log = true } }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_event_subscription" "demo" {
  description     = "Demo"
  destination_ids = [tunnel_event_destination.log.id]
}

resource "tunnel_event_source" "demo" {
  for_each        = toset(["ip_policy_created.v0", "ip_policy_updated.v0"])
  subscription_id = tunnel_event_subscription.demo.id
  type            = each.key
}

output "certificate_expires_at" {
  value = tunnel_tls_certificate.www.not_after
}
