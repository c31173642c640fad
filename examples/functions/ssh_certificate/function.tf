data "tunnel_ssh_host_certificate" "bastion" {
  id = "shcrt_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

locals {
  bastion = provider::tunnel::ssh_certificate(data.tunnel_ssh_host_certificate.bastion.certificate)
}

output "bastion" {
  value = "${local.bastion.type} certificate for ${join(", ", local.bastion.principals)}, signed by ${local.bastion.ca_fingerprint}"
}
