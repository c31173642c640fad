data "tunnel_event_destination" "archive" {
  id = "ed_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "archive_target" {
  value = data.tunnel_event_destination.archive.target
}
