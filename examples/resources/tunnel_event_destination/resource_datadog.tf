# Datadog

variable "datadog_api_key" {
  type      = string
  ephemeral = true
}

resource "tunnel_event_destination" "datadog" {
  description = "Datadog"
  target = {
    datadog = {
      ddsite = "datadoghq.eu"
      ddtags = "env:prod"
    }
  }
  secret_wo         = var.datadog_api_key
  secret_wo_version = 1 # increase it when the key changes

  # Without this, Terraform deletes the old destination before the subscription uses the new one.
  lifecycle {
    create_before_destroy = true
  }
}
