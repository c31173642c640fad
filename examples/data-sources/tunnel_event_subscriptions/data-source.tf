data "tunnel_event_subscriptions" "all" {}

output "subscriptions" {
  value = { for s in data.tunnel_event_subscriptions.all.event_subscriptions : s.id => s.description }
}
