import {
  to = tunnel_failover_backend.web
  identity = {
    id = "bkdfo_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
