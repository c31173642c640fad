import {
  to = tunnel_event_destination.archive
  identity = {
    id = "ed_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
