# All credentials of one User.
data "tunnel_ssh_credentials" "alice" {
  owner_id = "usr_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

# All that belong to a team, by their metadata.
data "tunnel_ssh_credentials" "platform" {
  metadata = "\"team\":\"platform\""
}

# Who may bind anything?
output "unrestricted" {
  value = [for c in data.tunnel_ssh_credentials.alice.ssh_credentials : c.id if c.acl == null || contains(coalesce(c.acl, []), "*")]
}
