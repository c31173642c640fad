import {
  to = tunnel_tls_certificate.www
  id = "cert_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
