data "tunnel_tls_certificate" "www" {
  id = "cert_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

# true
output "covers_www" {
  value = provider::tunnel::certificate_covers(data.tunnel_tls_certificate.www.certificate_pem, "www.example.com")
}

check "all_domains_are_covered" {
  assert {
    condition = alltrue([
      for domain in ["www.example.com"] :
      provider::tunnel::certificate_covers(data.tunnel_tls_certificate.www.certificate_pem, domain)
    ])
    error_message = "The certificate ${data.tunnel_tls_certificate.www.id} does not cover all domains."
  }
}
