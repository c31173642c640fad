# Basic usage

resource "tunnel_reserved_domain" "portal" {
  domain = "portal.example.com"

  certificate_management_policy = {
    authority = "letsencrypt"
  }

  # Without this, Terraform deletes the old domain before the edge uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}

# The CNAME record to create for the domain.
output "portal_cname_target" {
  value = tunnel_reserved_domain.portal.cname_target
}
