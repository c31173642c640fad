locals {
  policy = {
    inbound = [
      {
        name        = "only the office"
        expressions = ["!inCidrRange(conn.client_ip, '203.0.113.0/24')"]
        actions     = [{ type = "deny" }]
      },
    ]
  }
}

# "allow"
output "office" {
  value = provider::tunnel::policy_decision(local.policy, { conn = { client_ip = "203.0.113.9" } }).decision
}

# "deny", by rule 0, "only the office"
output "stranger" {
  value = provider::tunnel::policy_decision(local.policy, { conn = { client_ip = "198.51.100.7" } })
}

# ["conn.client_ip"]: without it, the decision is "undetermined"
output "unknown_address" {
  value = provider::tunnel::policy_decision(local.policy, { conn = {} }).missing
}
