data "tunnel_ssh_host_certificate" "bastion" {
  id = "shcrt_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

# Content of the HostCertificate file of sshd.
output "certificate" {
  value = data.tunnel_ssh_host_certificate.bastion.certificate
}
