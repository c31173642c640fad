locals {
  acl = ["bind:*.dev.example.com", "bind:1.tcp.example.com:20001", "bind:env=dev"]
}

# true
output "own_domain" {
  value = provider::tunnel::acl_allows(local.acl, "alice.dev.example.com")
}

# false
output "production_domain" {
  value = provider::tunnel::acl_allows(local.acl, "www.example.com")
}

# [true, false]
output "labels" {
  value = [for env in ["dev", "prod"] : provider::tunnel::acl_allows(local.acl, "env=${env}")]
}
