# A module for an SSH bastion host behind a TCP edge.

terraform {
  required_version = ">= 1.11"

  required_providers {
    tunnel = {
      source  = "tunnel-service/tunnel"
      version = "~> 0.1.0"
    }
  }
}

variable "hostname" {
  description = "Name under which clients connect to the bastion."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9.-]+$", var.hostname))
    error_message = "Expected a hostname without a port."
  }
}

variable "host_key" {
  description = "Public SSH host key of the bastion."
  type        = string
}

resource "tunnel_ssh_certificate_authority" "hosts" {
  description = "Signs the SSH host keys of ${var.hostname}"
}

resource "tunnel_ssh_host_certificate" "bastion" {
  description                  = var.hostname
  ssh_certificate_authority_id = tunnel_ssh_certificate_authority.hosts.id
  public_key                   = var.host_key
  principals                   = [var.hostname]
}

resource "tunnel_tcp_edge" "bastion" {
  description = "SSH to ${var.hostname}"
  hostports   = ["${var.hostname}:20022"]
}

resource "tunnel_group_backend" "bastion" {
  description = "SSH server of ${var.hostname}"
  labels      = { app = "bastion" }

  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tcp_edge_backend" "bastion" {
  edge_id    = tunnel_tcp_edge.bastion.id
  backend_id = tunnel_group_backend.bastion.id
}

output "known_hosts_line" {
  description = "Line for the known_hosts file of every client."
  value       = provider::tunnel::known_hosts_line(["[${var.hostname}]:20022"], tunnel_ssh_certificate_authority.hosts.public_key)
}

output "certificate" {
  description = "Content of the file for HostCertificate in sshd_config."
  value       = tunnel_ssh_host_certificate.bastion.certificate
}
