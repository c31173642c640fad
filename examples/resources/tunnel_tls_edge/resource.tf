# Basic usage

resource "tunnel_reserved_domain" "ingress" {
  domain = "secure.example.org"

  # Without this, Terraform deletes the old domain before the edge uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_tls_edge" "ingress" {
  hostports = ["${tunnel_reserved_domain.ingress.domain}:443"]
}
