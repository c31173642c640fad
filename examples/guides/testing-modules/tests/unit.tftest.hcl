# Nothing is created. The mocks contain the values that the service computes.

mock_provider "tunnel" {
  source = "./tests/mocks"
}

variables {
  hostname = "bastion.example.com"
  host_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJUzir0o+wFaG6u5OUYXhr0ogeHCBJyZ27LfADDZyt0V"
}

run "names_follow_the_hostname" {
  command = plan

  assert {
    condition     = tunnel_ssh_host_certificate.bastion.principals == tolist(["bastion.example.com"])
    error_message = "The certificate is not for the hostname."
  }

  assert {
    condition     = contains(tunnel_tcp_edge.bastion.hostports, "bastion.example.com:20022")
    error_message = "The edge does not listen on the hostname."
  }
}

run "outputs_are_usable" {
  assert {
    condition     = startswith(output.known_hosts_line, "@cert-authority [bastion.example.com]:20022 ssh-ed25519 ")
    error_message = "The line is not for known_hosts: ${output.known_hosts_line}"
  }

  assert {
    condition     = provider::tunnel::ssh_certificate(output.certificate).type == "host"
    error_message = "The output is not a host certificate."
  }

  assert {
    condition     = startswith(tunnel_tcp_edge_backend.bastion.edge_id, "edgtcp_")
    error_message = "The backend belongs to no TCP edge."
  }
}

run "hostname_has_no_port" {
  command = plan

  variables {
    hostname = "bastion.example.com:22"
  }

  expect_failures = [var.hostname]
}
