resource "tunnel_reserved_domain" "www" {
  domain = "www.example.com"

  certificate_management_policy = {
    authority = "letsencrypt"
  }

  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.tunnel_wait_for_certificate.www]
    }
  }
}

action "tunnel_wait_for_certificate" "www" {
  config {
    domain_id = tunnel_reserved_domain.www.id
    timeout   = "10m"
  }
}
