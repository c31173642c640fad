resource "tunnel_tls_certificate" "test" {
  count           = length(local.keys)
  certificate_pem = local.chains[count.index]
  private_key_pem = local.private_keys[count.index]
}
