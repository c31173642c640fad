import {
  to = tunnel_api_key.ci
  id = "ak_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
