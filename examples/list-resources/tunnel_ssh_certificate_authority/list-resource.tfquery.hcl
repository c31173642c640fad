list "tunnel_ssh_certificate_authority" "all" {
  provider = tunnel
  limit    = 1000
}
