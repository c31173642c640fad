import {
  to = tunnel_ip_policy.offices
  identity = {
    id = "ipp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
