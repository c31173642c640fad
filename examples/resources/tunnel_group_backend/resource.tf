resource "tunnel_group_backend" "web" {
  description = "All tunnels of the web servers in production"
  labels = {
    app = "web"
    env = "prod"
  }

  # With this, you can remove the backend and the references to it in one apply:
  # Terraform updates the references first.
  lifecycle {
    create_before_destroy = true
  }
}
