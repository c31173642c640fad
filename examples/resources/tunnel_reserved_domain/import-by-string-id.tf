import {
  to = tunnel_reserved_domain.portal
  id = "rd_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
