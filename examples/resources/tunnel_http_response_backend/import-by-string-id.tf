import {
  to = tunnel_http_response_backend.maintenance
  id = "bkdhr_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
