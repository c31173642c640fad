# Tunnel group backends that have at least these labels.
data "tunnel_group_backends" "prod" {
  labels = { env = "prod" }
}

output "production" {
  value = { for b in data.tunnel_group_backends.prod.group_backends : b.id => b.labels }
}

# Tunnel group backends with one label.
data "tunnel_group_backends" "web" {
  label = { app = "web" }
}
