# Failover backends whose description begins with "web", case-insensitive.
data "tunnel_failover_backends" "web" {
  description_regex = "(?i)^web"
}

output "ids" {
  value = data.tunnel_failover_backends.web.failover_backends[*].id
}
