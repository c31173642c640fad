import {
  to = tunnel_reserved_address.database
  identity = {
    id = "ra_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
