terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}

# These objects exist, so the first apply imports them.
import {
  to = tunnel_group_backend.blue
  id = "bkdtg_blue"
}

import {
  to = tunnel_tls_edge.web
  id = "edgtls_web"
}

import {
  to = tunnel_tls_edge_backend.web
  id = "edgtls_web"
}

import {
  to = tunnel_ssh_credential.ci
  id = "sshcr_ci"
}

resource "tunnel_group_backend" "blue" {
  labels = { deployment = "blue" }
}

resource "tunnel_group_backend" "green" {
  labels = { deployment = "green" }
}

resource "tunnel_failover_backend" "web" {
  description = "Blue before green"
  backends    = [tunnel_group_backend.blue.id, tunnel_group_backend.green.id]
}

resource "tunnel_tls_edge" "web" {
  description = "www.example.com"
}

resource "tunnel_tls_edge_backend" "web" {
  edge_id    = tunnel_tls_edge.web.id
  backend_id = tunnel_failover_backend.web.id
}

resource "tunnel_tls_edge_policy" "web" {
  edge_id = tunnel_tls_edge.web.id
  inbound = [{
    name        = "office"
    expressions = ["conn.client_ip == '192.0.2.1'"]
    actions     = [{ type = "log" }]
  }]
}

# Another key replaces the credential: it is deleted, and then created.
resource "tunnel_ssh_credential" "ci" {
  description = "CI"
  public_key  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAs+EadqryTUp/NY6sLoEvYExzscg6wK4gg41Pp0gRom"
}

resource "tunnel_reserved_address" "spare" {
  description = "spare"
}
