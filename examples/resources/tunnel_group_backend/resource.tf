resource "tunnel_group_backend" "web" {
  description = "All tunnels of the web servers in production"
  labels = {
    app = "web"
    env = "prod"
  }

  # If a failover backend or an edge stops using this backend and the backend is
  # removed in the same apply, the reference is removed first.
  lifecycle {
    create_before_destroy = true
  }
}
