# Basic usage

resource "tunnel_reserved_domain" "shop" {
  domain = "shop.example.com"

  certificate_management_policy = {
    authority = "letsencrypt"
  }
}

# The CNAME record to create for the domain.
output "shop_cname_target" {
  value = tunnel_reserved_domain.shop.cname_target
}
