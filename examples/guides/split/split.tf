moved {
  from = tunnel_group_backend.web["green"]
  to   = tunnel_group_backend.green
}

removed {
  from = tunnel_group_backend.green
  lifecycle {
    destroy = false
  }
}
