import {
  to = tunnel_reserved_domain.shop
  id = "rd_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
