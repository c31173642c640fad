package edge_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestEdge_unusualPort checks that TLS and HTTPS edges have one warning about all
// ports that are not 443, and TCP edges none.
func TestEdge_unusualPort(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for kind, want := range map[string]string{
		"tunnel_tls_edge":   `hostports has ports other than 443: "a.example.com:444", "b.example.com:8443". TLS edges of public services of this kind usually listen on port 443.`,
		"tunnel_https_edge": "HTTPS edges of public services of this kind usually listen on port 443.",
		"tunnel_tcp_edge":   "",
	} {
		hostports := func(texts ...string) map[string]tftypes.Value {
			return map[string]tftypes.Value{"hostports": acctest.Texts(texts...)}
		}
		acctest.ExpectNone(t, p.Check(kind, hostports("www.example.com:443")))
		found := p.Check(kind, hostports("b.example.com:8443", "www.example.com:443", "a.example.com:444"))
		if want == "" {
			acctest.ExpectNone(t, found)
			continue
		}
		acctest.Expect(t, found, tfprotov6.DiagnosticSeverityWarning, acctest.At("hostports"), want)
		if len(found) != 1 || !strings.HasPrefix(found[0].Summary, "Unusual") {
			t.Errorf("%s: expected one warning; found %d", kind, len(found))
		}
	}
}

func TestEdge_hostWithOneLabel(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for _, kind := range []string{"tunnel_tls_edge", "tunnel_tcp_edge", "tunnel_https_edge"} {
		acctest.Expect(t, p.Check(kind, map[string]tftypes.Value{"hostports": acctest.Texts("www:443")}), tfprotov6.DiagnosticSeverityWarning, acctest.At("hostports"),
			`hostports[0] ("www:443") has a host with one label. Expected a full domain, such as www.example.com:443.`)
	}
	acctest.ExpectNone(t, p.Check("tunnel_tcp_edge", map[string]tftypes.Value{"hostports": acctest.Texts("1.tcp.example.com:443", "[2001:db8::1]:443", "192.0.2.1:443")}))
}
