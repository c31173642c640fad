# Fails unless the tests before it created exactly one certificate, and sent no PATCH.
curl -sS --fail-with-body -H "Authorization: Bearer $TUNNEL_API_KEY" "$TUNNEL_BASE_URL/_testserver/expect" -d '[
  {"method": "POST", "route": "/ssh_host_certificates", "count": 1},
  {"method": "PATCH", "max": 0}
]'
