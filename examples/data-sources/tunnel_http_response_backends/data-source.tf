data "tunnel_http_response_backends" "maintenance" {
  description_regex = "(?i)maintenance"
}

output "ids" {
  value = data.tunnel_http_response_backends.maintenance.http_response_backends[*].id
}
