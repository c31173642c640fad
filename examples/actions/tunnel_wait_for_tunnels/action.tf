resource "tunnel_group_backend" "web" {
  labels = { app = "web" }

  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.tunnel_wait_for_tunnels.web]
    }
  }
}

action "tunnel_wait_for_tunnels" "web" {
  config {
    backend_id = tunnel_group_backend.web.id
    tunnels    = 2
    timeout    = "5m"
  }
}
