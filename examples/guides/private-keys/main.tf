variable "private_key" {
  type        = string
  ephemeral   = true
  description = "PEM-encoded private key of the certificate for www.example.com."
}

resource "tunnel_tls_certificate" "www" {
  certificate_pem            = file("${path.module}/www.example.com.pem")
  private_key_pem_wo         = var.private_key
  private_key_pem_wo_version = 1

  lifecycle {
    create_before_destroy = true
  }
}
