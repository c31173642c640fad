# A domain by its name.
data "tunnel_reserved_domain" "www" {
  domain = "www.example.com"
}

# A domain by its ID.
data "tunnel_reserved_domain" "shop" {
  id = "rd_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}

output "cname_target" {
  value = data.tunnel_reserved_domain.www.cname_target
}
