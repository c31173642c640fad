# The certificate for a host that is valid and ends last.
data "tunnel_tls_certificate" "www" {
  hostname = "www.example.com"
}

# A certificate by its id.
data "tunnel_tls_certificate" "shop" {
  id = "cert_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

check "www_is_valid_for_another_month" {
  assert {
    condition     = timecmp(data.tunnel_tls_certificate.www.not_after, timeadd(plantimestamp(), "720h")) > 0
    error_message = "The certificate for www.example.com ends on ${data.tunnel_tls_certificate.www.not_after}."
  }
}
