data "tunnel_http_response_backend" "maintenance" {
  id = "bkdhr_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "status_code" {
  value = data.tunnel_http_response_backend.maintenance.status_code
}
