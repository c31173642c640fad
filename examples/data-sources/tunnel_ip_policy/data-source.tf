data "tunnel_ip_policy" "offices" {
  id = "ipp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "description" {
  value = data.tunnel_ip_policy.offices.description
}
