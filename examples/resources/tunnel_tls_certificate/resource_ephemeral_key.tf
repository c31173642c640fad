# Private key from a secret store, and a check of the expiry

variable "private_key" {
  description = "Private key in PEM format, set with TF_VAR_private_key."
  type        = string
  ephemeral   = true
}

resource "tunnel_tls_certificate" "shop" {
  description                = "shop.example.com"
  metadata                   = jsonencode({ team = "shop" })
  certificate_pem            = file("${path.module}/www.example.com.pem")
  private_key_pem_wo         = var.private_key
  private_key_pem_wo_version = 1

  lifecycle {
    create_before_destroy = true
  }
}

# Warns if fewer than 14 days remain.
check "shop_certificate" {
  assert {
    condition     = timecmp(tunnel_tls_certificate.shop.not_after, timeadd(plantimestamp(), "336h")) > 0
    error_message = "The certificate of the shop expires at ${tunnel_tls_certificate.shop.not_after}."
  }
}
