import {
  to = tunnel_reserved_domain.portal
  identity = {
    id = "rd_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
