# All tunnel group backends with these labels, whatever others they have.
list "tunnel_group_backend" "prod" {
  provider = tunnel
  limit    = 1000

  config {
    labels = { env = "prod" }
  }
}
