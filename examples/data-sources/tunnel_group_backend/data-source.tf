data "tunnel_group_backend" "web" {
  id = "bkdtg_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "tunnels" {
  value = length(data.tunnel_group_backend.web.tunnels)
}
