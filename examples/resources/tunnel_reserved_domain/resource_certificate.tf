# Edge with an uploaded certificate

resource "tunnel_tls_certificate" "www" {
  certificate_pem            = file("${path.module}/www.example.com.pem")
  private_key_pem_wo         = file("${path.module}/www.example.com.key")
  private_key_pem_wo_version = 1

  # Without this, Terraform deletes the old certificate before the domain uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_reserved_domain" "www" {
  domain         = "www.example.com"
  certificate_id = tunnel_tls_certificate.www.id
}

resource "tunnel_https_edge" "www" {
  hostports = ["${tunnel_reserved_domain.www.domain}:443"]
}
