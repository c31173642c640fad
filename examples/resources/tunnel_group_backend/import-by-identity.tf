import {
  to = tunnel_group_backend.web
  identity = {
    id = "bkdtg_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
