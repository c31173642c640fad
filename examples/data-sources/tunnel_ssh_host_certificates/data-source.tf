# Certificates of one authority that are valid for the bastion.
data "tunnel_ssh_host_certificates" "bastion" {
  principal                    = "bastion.example.com"
  ssh_certificate_authority_id = "sshca_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

# Certificates that have expired, or expire within 30 days.
data "tunnel_ssh_host_certificates" "expiring" {
  expires_before = timeadd(plantimestamp(), "720h")
}
