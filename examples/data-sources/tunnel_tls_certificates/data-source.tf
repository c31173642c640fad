# Certificates that have expired, or expire within 30 days.
data "tunnel_tls_certificates" "expiring" {
  expires_before = timeadd(plantimestamp(), "720h")
}

# Certificates that are valid for www.example.com.
data "tunnel_tls_certificates" "www" {
  hostname = "www.example.com"
}

output "expiring" {
  value = {
    for certificate in data.tunnel_tls_certificates.expiring.tls_certificates :
    certificate.id => "${certificate.subject_common_name} expires on ${certificate.not_after}"
  }
}
