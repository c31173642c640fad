# Basic usage

resource "tunnel_reserved_domain" "portal" {
  domain = "portal.example.com"

  certificate_management_policy = {
    authority = "letsencrypt"
  }
}

# The CNAME record to create for the domain.
output "portal_cname_target" {
  value = tunnel_reserved_domain.portal.cname_target
}
