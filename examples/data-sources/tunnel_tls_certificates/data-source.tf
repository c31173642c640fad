# Everything that ends within 30 days.
data "tunnel_tls_certificates" "ending" {
  expires_before = timeadd(plantimestamp(), "720h")
}

# Everything that a browser could get at www.example.com.
data "tunnel_tls_certificates" "www" {
  hostname = "www.example.com"
}

output "ending" {
  value = {
    for certificate in data.tunnel_tls_certificates.ending.tls_certificates :
    certificate.id => "${certificate.subject_common_name} ends on ${certificate.not_after}"
  }
}
