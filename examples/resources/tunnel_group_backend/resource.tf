# Basic usage

resource "tunnel_group_backend" "web" {
  labels = { app = "web" }

  # With this, you can remove the backend and the references to it in one apply:
  # Terraform updates the references first.
  lifecycle {
    create_before_destroy = true
  }
}
