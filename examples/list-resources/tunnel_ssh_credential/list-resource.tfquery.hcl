# All SSH credentials in the account.
list "tunnel_ssh_credential" "all" {
  provider = tunnel
  limit    = 1000
}

# SSH credentials of one User.
list "tunnel_ssh_credential" "alice" {
  provider = tunnel

  config {
    owner_id = "usr_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
