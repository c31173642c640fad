data "tunnel_failover_backend" "web" {
  id = "bkdfo_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "preferred" {
  value = data.tunnel_failover_backend.web.backends[0]
}
