# Basic usage

resource "tunnel_reserved_address" "database" {
  description = "Database"
}
