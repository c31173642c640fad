# Terraform older than 1.11

# The private key is stored in the state.
resource "tunnel_tls_certificate" "api" {
  certificate_pem = file("${path.module}/www.example.com.pem")
  private_key_pem = file("${path.module}/www.example.com.key")

  lifecycle {
    create_before_destroy = true
  }
}
