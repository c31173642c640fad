import {
  to = tunnel_api_key.ci
  identity = {
    id = "ak_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
