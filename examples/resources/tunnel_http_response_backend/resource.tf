# Basic usage

resource "tunnel_http_response_backend" "maintenance" {
  body        = "Back soon"
  status_code = 503

  lifecycle {
    create_before_destroy = true
  }
}
