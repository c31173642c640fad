# All TLS certificates in the account.
list "tunnel_tls_certificate" "all" {
  provider = tunnel
  limit    = 1000
}

# TLS certificates that are valid for www.example.com.
list "tunnel_tls_certificate" "www" {
  provider = tunnel

  config {
    hostname = "www.example.com"
  }
}

# TLS certificates that expire before a date.
list "tunnel_tls_certificate" "expiring" {
  provider = tunnel

  config {
    expires_before = "2030-01-31T00:00:00Z"
  }
}
