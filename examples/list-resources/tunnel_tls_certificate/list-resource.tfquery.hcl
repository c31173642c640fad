# All TLS certificates of the account.
list "tunnel_tls_certificate" "all" {
  provider = tunnel
  limit    = 1000
}

# Those that a browser could get at www.example.com.
list "tunnel_tls_certificate" "www" {
  provider = tunnel

  config {
    hostname = "www.example.com"
  }
}

# Those that end before a day.
list "tunnel_tls_certificate" "ending" {
  provider = tunnel

  config {
    expires_before = "2030-01-31T00:00:00Z"
  }
}
