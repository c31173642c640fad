terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}

locals {
  certificates = toset(["www", "api", "edge"]) # valid for a year, 64 days and six days

  hosts = {
    db1 = {
      public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICnAK9b2RD4+t1p3wq8WtVQPzPQKpNfu/j8GOd8tCgQw"
      validity   = null # a year
      early      = 30 * 24
    }
    web1 = {
      public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAs+EadqryTUp/NY6sLoEvYExzscg6wK4gg41Pp0gRom"
      validity   = 64 * 24
      early      = 21 * 24
    }
  }
}

# All objects exist, so the first apply imports them.
import {
  for_each = local.certificates
  to       = tunnel_tls_certificate.web[each.key]
  id       = "cert_${each.key}"
}

import {
  for_each = local.certificates
  to       = tunnel_reserved_domain.web[each.key]
  id       = "rd_${each.key}"
}

import {
  to = tunnel_reserved_domain.shop
  id = "rd_shop"
}

import {
  to = tunnel_ssh_certificate_authority.hosts
  id = "sshca_hosts"
}

import {
  for_each = local.hosts
  to       = tunnel_ssh_host_certificate.host[each.key]
  id       = "shcrt_${each.key}"
}

resource "tunnel_tls_certificate" "web" {
  for_each = local.certificates

  certificate_pem = file("${path.module}/${each.key}.pem")
}

resource "tunnel_reserved_domain" "web" {
  for_each = local.certificates

  domain         = "${each.key}.example.com"
  certificate_id = tunnel_tls_certificate.web[each.key].id
}

# The service gets this certificate and renews it.
resource "tunnel_reserved_domain" "shop" {
  domain                        = "shop.example.com"
  certificate_management_policy = { authority = "letsencrypt" }
}

resource "tunnel_ssh_certificate_authority" "hosts" {
  description = "hosts"
}

resource "tunnel_ssh_host_certificate" "host" {
  for_each = local.hosts

  ssh_certificate_authority_id = tunnel_ssh_certificate_authority.hosts.id
  public_key                   = each.value.public_key
  principals                   = ["${each.key}.example.com"]
  validity_period_hours        = each.value.validity
  early_renewal_hours          = each.value.early

  lifecycle {
    create_before_destroy = true
  }
}
