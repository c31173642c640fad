# Tunnel group backends that have at least these labels.
list "tunnel_group_backend" "prod" {
  provider = tunnel
  limit    = 1000

  config {
    labels = { env = "prod" }
  }
}
