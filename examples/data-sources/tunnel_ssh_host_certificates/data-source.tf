# What ssh takes for the bastion, from one authority.
data "tunnel_ssh_host_certificates" "bastion" {
  principal                    = "bastion.example.com"
  ssh_certificate_authority_id = "sshca_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

# Everything that ends within 30 days.
data "tunnel_ssh_host_certificates" "ending" {
  expires_before = timeadd(plantimestamp(), "720h")
}
