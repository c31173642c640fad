# Creates everything, with the test server or in a test account: set TUNNEL_BASE_URL and
# TUNNEL_API_KEY. Terraform destroys it after the last run.

provider "tunnel" {}

variables {
  hostname = "bastion.example.com"
  host_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJUzir0o+wFaG6u5OUYXhr0ogeHCBJyZ27LfADDZyt0V"
}

run "creates_the_bastion" {
  assert {
    condition     = provider::tunnel::ssh_certificate(output.certificate).principals == tolist(["bastion.example.com"])
    error_message = "The certificate is for other names."
  }

  assert {
    condition     = strcontains(output.known_hosts_line, tunnel_ssh_certificate_authority.hosts.public_key)
    error_message = "Clients would trust another authority."
  }
}

run "keeps_the_certificate_when_the_hostname_stays" {
  assert {
    condition     = output.certificate == run.creates_the_bastion.certificate
    error_message = "The second apply replaces the certificate."
  }
}
