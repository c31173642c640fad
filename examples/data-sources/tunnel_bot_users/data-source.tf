# All bot users that cannot use their credentials.
data "tunnel_bot_users" "all" {}

output "inactive_bot_users" {
  value = [for bot in data.tunnel_bot_users.all.bot_users : bot.name if !bot.active]
}
