import {
  to = tunnel_ip_policy.offices
  id = "ipp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
