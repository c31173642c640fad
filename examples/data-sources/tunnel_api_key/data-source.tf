data "tunnel_api_key" "ci" {
  id = "ak_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "ci_key_created_at" {
  value = data.tunnel_api_key.ci.created_at
}
