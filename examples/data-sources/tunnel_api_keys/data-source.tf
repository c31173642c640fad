# All API keys that are older than 90 days.
data "tunnel_api_keys" "all" {}

output "old_api_keys" {
  value = [for key in data.tunnel_api_keys.all.api_keys : key.id if timecmp(timeadd(key.created_at, "2160h"), plantimestamp()) < 0]
}
