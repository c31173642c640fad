package crud_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// A data source finds an object by its name in any notation, or shows which exist.
func TestDataSource_byName(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	ids := map[string]string{
		"address": w.Create("/reserved_addrs", `{}`),
		"domain":  w.Create("/reserved_domains", `{"domain": "Www.example.com"}`),
		"Unicode": w.Create("/reserved_domains", `{"domain": "xn--bcher-kva.example.com"}`),
		"TLS":     w.Create("/edges/tls", `{"hostports": ["other.example.com:443", "tls.example.com:443"]}`),
		"TCP":     w.Create("/edges/tcp", `{"hostports": ["tcp.example.com:443"]}`),
		"HTTPS":   w.Create("/edges/https", `{"hostports": ["https.example.com:443"]}`),
	}
	for _, test := range []struct{ kind, name, value, found, missing string }{
		{"tunnel_reserved_address", "addr", "1.tcp.tunnel.example:20001", "address", ""},
		{"tunnel_reserved_address", "addr", "2.tcp.tunnel.example:20001", "", "Existing: 1.tcp.tunnel.example:20001"},
		{"tunnel_reserved_domain", "domain", "www.EXAMPLE.com", "domain", ""},
		{"tunnel_reserved_domain", "domain", "Bücher.example.com", "Unicode", ""},
		{"tunnel_reserved_domain", "domain", "example.com", "", `None of the reserved domains in the account is "example.com". Existing: `},
		{"tunnel_tls_edge", "hostport", "TLS.example.com:443", "TLS", ""},
		{"tunnel_tcp_edge", "hostport", "TCP.example.com:443", "TCP", ""},
		{"tunnel_https_edge", "hostport", "HTTPS.example.com:443", "HTTPS", ""},
		{"tunnel_tls_edge", "hostport", "none.example.com:443", "", `has "none.example.com:443". Existing: `},
	} {
		read, diags := p.TryDataSource(test.kind, map[string]tftypes.Value{test.name: acctest.Text(test.value)})
		if test.missing != "" {
			acctest.Expect(t, diags, tfprotov6.DiagnosticSeverityError, acctest.At(test.name), test.missing)
		} else if p.Must(diags); p.Strings(read)["id"] != ids[test.found] || p.Strings(read)[test.name] != test.value {
			t.Errorf("%s: found %s, want %s", test.value, p.Strings(read)["id"], ids[test.found])
		}
	}
}
