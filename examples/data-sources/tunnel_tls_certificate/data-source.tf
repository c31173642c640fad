# The valid certificate for a hostname that expires last.
data "tunnel_tls_certificate" "www" {
  hostname = "www.example.com"
}

# A certificate by its ID.
data "tunnel_tls_certificate" "shop" {
  id = "cert_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

check "www_is_valid_for_another_month" {
  assert {
    condition     = timecmp(data.tunnel_tls_certificate.www.not_after, timeadd(plantimestamp(), "720h")) > 0
    error_message = "The certificate for www.example.com expires on ${data.tunnel_tls_certificate.www.not_after}."
  }
}
