# The private key is write-only: it goes to the service, and is in no plan and no
# state. Terraform does not see it change, so another key gets another version.
resource "tunnel_tls_certificate" "www" {
  description                = "www.example.com"
  certificate_pem            = file("${path.module}/www.example.com.pem") # leaf first
  private_key_pem_wo         = file("${path.module}/www.example.com.key")
  private_key_pem_wo_version = 1

  # Another chain, or another version of the key, replaces the certificate. This
  # way the new one exists before the old one is deleted.
  lifecycle {
    create_before_destroy = true
  }
}

# Where Terraform is older than 1.11, private_key_pem takes the key instead. It
# is then in the state.
#
#   private_key_pem = file("${path.module}/www.example.com.key")
