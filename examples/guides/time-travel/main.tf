terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}

resource "tunnel_ssh_certificate_authority" "hosts" {}

# Valid for 90 days. Renewed when fewer than 30 days remain.
resource "tunnel_ssh_host_certificate" "bastion" {
  ssh_certificate_authority_id = tunnel_ssh_certificate_authority.hosts.id
  public_key                   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRlNttv5U6ku0XJeMTkLXnXAV1X4pBLMc/0X9sOsYV6 root@bastion"
  principals                   = ["bastion.example.com"]
  validity_period_hours        = 90 * 24
  early_renewal_hours          = 30 * 24
}

output "certificate_id" {
  value = tunnel_ssh_host_certificate.bastion.id
}
