data "tunnel_bot_user" "ci" {
  id = "bot_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "ci_is_active" {
  value = data.tunnel_bot_user.ci.active
}
