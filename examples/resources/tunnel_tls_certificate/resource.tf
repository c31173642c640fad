# Basic usage

# The private key is write-only: it is sent to the service, but not stored in plans or
# the state. Increase private_key_pem_wo_version when the private key changes.
resource "tunnel_tls_certificate" "www" {
  certificate_pem            = file("${path.module}/www.example.com.pem") # leaf certificate first
  private_key_pem_wo         = file("${path.module}/www.example.com.key")
  private_key_pem_wo_version = 1

  # A new chain or key version replaces the certificate. Create the new certificate
  # before the old one is deleted.
  lifecycle {
    create_before_destroy = true
  }
}
