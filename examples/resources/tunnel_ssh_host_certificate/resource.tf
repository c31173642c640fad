# Basic usage

# Valid for one year, and not renewed: see the next example.
resource "tunnel_ssh_host_certificate" "bastion" {
  ssh_certificate_authority_id = tunnel_ssh_certificate_authority.hosts.id
  public_key                   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRlNttv5U6ku0XJeMTkLXnXAV1X4pBLMc/0X9sOsYV6 root@bastion"
  principals                   = ["bastion.example.com"]
}

resource "tunnel_ssh_certificate_authority" "hosts" {
  description = "Signs the keys of SSH hosts"
}
