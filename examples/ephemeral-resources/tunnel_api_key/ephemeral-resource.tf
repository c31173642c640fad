# An API key that works only while Terraform applies. Its token is in no state or plan.
ephemeral "tunnel_api_key" "deployment" {
  enabled     = terraform.applying
  description = "Deployment of release 7"
}

resource "terraform_data" "deployment" {
  triggers_replace = ["release 7"]

  provisioner "local-exec" {
    command     = "test -n \"$TUNNEL_API_KEY\" && echo Deploying"
    environment = { TUNNEL_API_KEY = ephemeral.tunnel_api_key.deployment.token }
  }
}
