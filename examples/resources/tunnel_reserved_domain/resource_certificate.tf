# Edge with an uploaded certificate

resource "tunnel_tls_certificate" "app" {
  certificate_pem            = file("${path.module}/app.example.com.pem")
  private_key_pem_wo         = file("${path.module}/app.example.com.key")
  private_key_pem_wo_version = 1

  # Without this, Terraform deletes the old certificate before the domain uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_reserved_domain" "app" {
  domain         = "app.example.com"
  certificate_id = tunnel_tls_certificate.app.id

  # Without this, Terraform deletes the old domain before the edge uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_https_edge" "app" {
  hostports = ["${tunnel_reserved_domain.app.domain}:443"]
}
