# Basic usage

resource "tunnel_reserved_domain" "shop" {
  domain = "shop.example.org"

  # Without this, Terraform deletes the old domain before the edge uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}

resource "tunnel_https_edge" "shop" {
  hostports = ["${tunnel_reserved_domain.shop.domain}:443"]
}
