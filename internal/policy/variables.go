package policy

// VariablesElsewhere are variables of other products, and those that mean the same.
var VariablesElsewhere = map[string]string{
	"client.address": "conn.client_ip", "client.ip": "conn.client_ip", "ip.src": "conn.client_ip", "origin.ip": "conn.client_ip",
	"remote_addr": "conn.client_ip", "remote_ip": "conn.client_ip", "source.address": "conn.client_ip", "source.ip": "conn.client_ip",
	"source.port": "conn.client_port", "src_ip": "conn.client_ip",
	"sni": "conn.tls.sni", "ssl.sni": "conn.tls.sni", "server_name": "conn.tls.sni",
	"country": "conn.geo.country_code", "ip.geoip.country": "conn.geo.country_code",
}

// PublicVariables are variables that public services of this kind document for
// TLS and TCP connections. The API documentation does not define any.
var PublicVariables = []string{
	"conn.bytes_in",
	"conn.bytes_out",
	"conn.client_ip",
	"conn.client_port",
	"conn.geo.city",
	"conn.geo.country",
	"conn.geo.country_code",
	"conn.geo.latitude",
	"conn.geo.longitude",
	"conn.geo.radius",
	"conn.geo.subdivision",
	"conn.server_ip",
	"conn.server_port",
	"conn.server_region",
	"conn.tls.cipher_suite",
	"conn.tls.ja3",
	"conn.tls.ja4",
	"conn.tls.sni",
	"conn.tls.version",
	"conn.ts.end",
	"conn.ts.start",
}
