# Basic usage

resource "tunnel_ssh_certificate_authority" "hosts" {
  description = "Signs the keys of SSH hosts"
}
