resource "tunnel_ssh_host_certificate" "bastion" {
  description                  = "Host key of the bastion"
  ssh_certificate_authority_id = "sshca_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  public_key                   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRlNttv5U6ku0XJeMTkLXnXAV1X4pBLMc/0X9sOsYV6 root@bastion"
  principals                   = ["bastion.example.com", "192.0.2.10"]

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
output "bastion_certificate" {
  value = tunnel_ssh_host_certificate.bastion.certificate
}
