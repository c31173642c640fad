# Credentials of one user.
data "tunnel_ssh_credentials" "alice" {
  owner_id = "usr_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

# Credentials of a team, filtered by metadata.
data "tunnel_ssh_credentials" "platform" {
  metadata = "\"team\":\"platform\""
}

# IDs of Alice's credentials without restrictions.
output "unrestricted" {
  value = [for c in data.tunnel_ssh_credentials.alice.ssh_credentials : c.id if length(c.acl) == 0 || contains(c.acl, "*")]
}
