data "tunnel_ssh_host_certificate" "bastion" {
  id = "shcrt_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

# For the file that sshd_config names as HostCertificate.
output "certificate" {
  value = data.tunnel_ssh_host_certificate.bastion.certificate
}
