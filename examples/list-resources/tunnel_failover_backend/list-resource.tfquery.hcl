# All failover backends whose description begins with web, in whatever case.
list "tunnel_failover_backend" "web" {
  provider = tunnel
  limit    = 1000

  config {
    description_regex = "(?i)^web"
  }
}
