# Moves the clock of the test server, which the provider follows.
variable "advance" {
  type        = string
  description = "Duration, such as 60d or 12h."
}

resource "terraform_data" "clock" {
  triggers_replace = var.advance

  provisioner "local-exec" {
    command = <<-END
      curl -fsS -H "Authorization: Bearer $TUNNEL_API_KEY" "$TUNNEL_BASE_URL/_testserver/clock" -d '{"advance": "${var.advance}"}'
    END
  }
}
