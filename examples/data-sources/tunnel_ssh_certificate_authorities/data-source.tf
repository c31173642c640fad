data "tunnel_ssh_certificate_authorities" "all" {}

output "public_keys" {
  value = { for ca in data.tunnel_ssh_certificate_authorities.all.ssh_certificate_authorities : ca.id => ca.public_key }
}
