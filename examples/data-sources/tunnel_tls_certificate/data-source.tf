# The valid certificate for a hostname that expires last.
data "tunnel_tls_certificate" "www" {
  hostname = "www.example.com"
}

# A certificate by its ID.
data "tunnel_tls_certificate" "shop" {
  id = "cert_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

check "shop_is_valid_for_another_month" {
  # Inside the check block, it is only a warning if no certificate is valid.
  data "tunnel_tls_certificate" "valid" {
    hostname = "shop.example.com"
  }

  assert {
    condition     = timecmp(data.tunnel_tls_certificate.valid.not_after, timeadd(plantimestamp(), "720h")) > 0
    error_message = "The certificate for shop.example.com expires on ${data.tunnel_tls_certificate.valid.not_after}."
  }
}
