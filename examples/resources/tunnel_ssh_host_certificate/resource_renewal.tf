# Renew automatically

resource "tunnel_ssh_certificate_authority" "servers" {
  description = "Signs the keys of all servers"
}

resource "tunnel_ssh_host_certificate" "gateway" {
  description                  = "Host key of the gateway"
  ssh_certificate_authority_id = tunnel_ssh_certificate_authority.servers.id
  public_key                   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRlNttv5U6ku0XJeMTkLXnXAV1X4pBLMc/0X9sOsYV6 root@gateway"
  principals                   = ["gateway.example.com", "192.0.2.10"]

  # Each certificate is valid for 90 days. A plan replaces it when fewer than 30 days
  # remain.
  validity_period_hours = 2160
  early_renewal_hours   = 720

  # Create the new certificate before the old one is deleted.
  lifecycle {
    create_before_destroy = true
  }
}

# Content of the HostCertificate file of sshd.
output "gateway_certificate" {
  value = tunnel_ssh_host_certificate.gateway.certificate
}
