locals {
  # In practice, yamldecode(file("policy.yml")).
  document = yamldecode(<<-EOT
    on_tcp_connect:
      - name: only the office
        actions:
          - type: restrict-ips
            config:
              enforce: true
              allow:
                - 192.0.2.0/24
      - expressions:
          - conn.geo.country_code == 'XX'
        actions:
          - type: deny
  EOT
  )
}

# The value of the attribute inbound of a tunnel_tls_edge_policy or tunnel_tcp_edge_policy.
output "rules" {
  value = provider::tunnel::policy_rules(local.document, "on_tcp_connect")
}
