# A certificate that exists at the service already comes under management: no
# private key is needed, and nothing is replaced.

terraform {
  required_version = ">= 1.5"
  required_providers {
    tunnel = {
      source  = "tunnel-service/tunnel"
      version = "~> 0.1"
    }
  }
}

provider "tunnel" {}

variable "certificate_id" {
  type        = string
  description = "Id of the certificate that exists, such as cert_2abc."
}

variable "keys" {
  type        = string
  description = "Folder with the chain of that certificate, existing.pem."
}

import {
  to = tunnel_tls_certificate.existing
  id = var.certificate_id
}

resource "tunnel_tls_certificate" "existing" {
  description     = "uploaded by hand"
  certificate_pem = file("${var.keys}/existing.pem")
}
