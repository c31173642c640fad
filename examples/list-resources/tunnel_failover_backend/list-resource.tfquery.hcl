# Failover backends whose description begins with "web", case-insensitive.
list "tunnel_failover_backend" "web" {
  provider = tunnel
  limit    = 1000

  config {
    description_regex = "(?i)^web"
  }
}
