# Domains without a certificate.
data "tunnel_reserved_domains" "all" {}

output "without_certificate" {
  value = [for d in data.tunnel_reserved_domains.all.reserved_domains : d.domain if d.certificate == null]
}

# Domains that use a certificate.
data "tunnel_reserved_domains" "affected" {
  certificate_id = "cert_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
