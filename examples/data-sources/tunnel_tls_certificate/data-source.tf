# The valid certificate for a hostname that expires last.
data "tunnel_tls_certificate" "www" {
  hostname = "www.example.com"
}

# A certificate by its ID.
data "tunnel_tls_certificate" "shop" {
  id = "cert_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

# A check must not fail if no certificate is valid, so it reads all for the hostname.
data "tunnel_tls_certificates" "www" {
  hostname = "www.example.com"
}

check "www_is_valid_for_another_month" {
  assert {
    condition = anytrue([
      for c in data.tunnel_tls_certificates.www.tls_certificates : timecmp(c.not_after, timeadd(plantimestamp(), "720h")) > 0
    ])
    error_message = "No TLS certificate for www.example.com is valid for another month."
  }
}
