resource "tunnel_http_response_backend" "maintenance" {
  description = "Maintenance page"
  body        = "<h1>Back soon</h1>"
  headers     = { Content-Type = "text/html", Retry-After = "120" }
  status_code = 503

  lifecycle {
    create_before_destroy = true
  }
}
