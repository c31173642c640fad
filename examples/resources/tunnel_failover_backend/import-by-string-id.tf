import {
  to = tunnel_failover_backend.web
  id = "bkdfo_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
