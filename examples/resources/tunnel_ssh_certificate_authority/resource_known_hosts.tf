# Sign a host key, and let clients trust all hosts of the authority

resource "tunnel_ssh_certificate_authority" "servers" {
  description      = "Signs the keys of all servers"
  private_key_type = "ecdsa"
  elliptic_curve   = "p384"
}

resource "tunnel_ssh_host_certificate" "web" {
  description                  = "Host key of web-1"
  ssh_certificate_authority_id = tunnel_ssh_certificate_authority.servers.id
  public_key                   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRlNttv5U6ku0XJeMTkLXnXAV1X4pBLMc/0X9sOsYV6 root@web-1"
  principals                   = ["web-1.example.com"]
  early_renewal_hours          = 720

  lifecycle {
    create_before_destroy = true
  }
}

# Line for the known_hosts file of the clients.
output "known_hosts_line" {
  value = provider::tunnel::known_hosts_line(["*.example.com"], tunnel_ssh_certificate_authority.servers.public_key)
}
