resource "tunnel_group_backend" "web" {
  description = "All tunnels of the web servers in production"
  labels = {
    app = "web"
    env = "prod"
  }
}
