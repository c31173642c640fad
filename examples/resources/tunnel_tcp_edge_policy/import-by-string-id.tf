import {
  to = tunnel_tcp_edge_policy.ssh
  id = "edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
