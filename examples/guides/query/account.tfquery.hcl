list "tunnel_tls_certificate" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_ssh_host_certificate" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_ssh_credential" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_group_backend" "account" {
  provider = tunnel
  limit    = 10000
}

list "tunnel_failover_backend" "account" {
  provider = tunnel
  limit    = 10000
}

# One of these for each event subscription.
list "tunnel_event_source" "account" {
  provider = tunnel
  limit    = 10000

  config {
    subscription_id = "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
