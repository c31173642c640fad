# Imports an existing certificate. The private key is not needed, and the certificate
# is not replaced.

terraform {
  required_version = ">= 1.5"
  required_providers {
    tunnel = {
      source  = "tunnel-service/tunnel"
      version = "~> 0.1.0"
    }
  }
}

provider "tunnel" {}

variable "certificate_id" {
  type        = string
  description = "ID of the existing certificate, such as cert_2abc."
}

variable "keys" {
  type        = string
  description = "Directory with existing.pem, the chain of that certificate."
}

import {
  to = tunnel_tls_certificate.existing
  id = var.certificate_id
}

resource "tunnel_tls_certificate" "existing" {
  description     = "uploaded by hand"
  certificate_pem = file("${var.keys}/existing.pem")
}
