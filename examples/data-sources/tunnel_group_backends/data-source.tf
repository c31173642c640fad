# All backends with these labels, whatever others they have.
data "tunnel_group_backends" "prod" {
  labels = { env = "prod" }
}

output "production" {
  value = { for b in data.tunnel_group_backends.prod.group_backends : b.id => b.labels }
}
