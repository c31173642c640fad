# Basic usage

resource "tunnel_reserved_address" "database" {
  description = "Database"

  # Without this, Terraform deletes the old address before the edge uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}
