data "tunnel_reserved_addresses" "all" {}

# Addresses that no TCP edge uses.
data "tunnel_tcp_edges" "all" {}

output "unused" {
  value = setsubtract(
    data.tunnel_reserved_addresses.all.reserved_addresses[*].addr,
    flatten([for e in data.tunnel_tcp_edges.all.tcp_edges : e.hostports]),
  )
}
