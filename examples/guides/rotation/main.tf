# The chain and the private key are files, for example written by an ACME client.
resource "tunnel_tls_certificate" "www" {
  description                = "www.example.com"
  certificate_pem            = file("${path.module}/www.example.com.pem")
  private_key_pem_wo         = file("${path.module}/www.example.com.key")
  private_key_pem_wo_version = 1

  # Create the new certificate before the old one is deleted.
  lifecycle {
    create_before_destroy = true
  }
}

# The new certificate changes the domain in place.
resource "tunnel_reserved_domain" "www" {
  domain         = "www.example.com"
  certificate_id = tunnel_tls_certificate.www.id

  lifecycle {
    create_before_destroy = true # also if the domain is renamed

    precondition {
      condition     = provider::tunnel::certificate_covers(tunnel_tls_certificate.www.certificate_pem, "www.example.com")
      error_message = "The certificate in www.example.com.pem does not cover www.example.com."
    }
  }
}

resource "tunnel_ssh_certificate_authority" "hosts" {}

# Valid for 90 days. Renewed when fewer than 30 days remain.
resource "tunnel_ssh_host_certificate" "bastion" {
  ssh_certificate_authority_id = tunnel_ssh_certificate_authority.hosts.id
  public_key                   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRlNttv5U6ku0XJeMTkLXnXAV1X4pBLMc/0X9sOsYV6 root@bastion"
  principals                   = ["bastion.example.com"]
  validity_period_hours        = 2160
  early_renewal_hours          = 720

  lifecycle {
    create_before_destroy = true
  }
}

# All certificates in the account that expire within 30 days or are expired, managed by
# Terraform or not.
data "tunnel_tls_certificates" "expiring" {
  expires_before = timeadd(plantimestamp(), "720h")
}

data "tunnel_ssh_host_certificates" "expiring" {
  expires_before = timeadd(plantimestamp(), "720h")
}

check "nothing_expires_soon" {
  assert {
    condition = length(data.tunnel_tls_certificates.expiring.tls_certificates) == 0
    error_message = "These TLS certificates expire within 30 days, or are expired: ${join(", ", [
      for c in data.tunnel_tls_certificates.expiring.tls_certificates : "${c.id} (${c.subject_common_name}, ${c.not_after})"
    ])}."
  }
  assert {
    condition = length(data.tunnel_ssh_host_certificates.expiring.ssh_host_certificates) == 0
    error_message = "These SSH host certificates expire within 30 days, or are expired: ${join(", ", [
      for c in data.tunnel_ssh_host_certificates.expiring.ssh_host_certificates : "${c.id} (${c.valid_until})"
    ])}."
  }
}
