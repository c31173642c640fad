resource "tunnel_reserved_domain" "www" { # was ngrok_reserved_domain
  domain = "www.example.com"
}

moved {
  from = ngrok_reserved_domain.www
  to   = tunnel_reserved_domain.www
}
