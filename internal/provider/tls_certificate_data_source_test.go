package provider_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

func TestTLSCertificateDataSource_hostname(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		p := w.Protocol(t)
		now := time.Now()
		find := func(host string) (string, string) {
			found, diagnostics := p.TryDataSource("tunnel_tls_certificate", arguments{"hostname": text(host)})
			if len(diagnostics) > 0 {
				return "", diagnostics[0].Detail
			}
			return p.Strings(found)["id"], ""
		}
		if _, why := find("www.example.com"); !strings.Contains(why, "no TLS certificates") {
			t.Errorf("in an empty account: %q", why)
		}
		of := func(begin, end int, names ...string) string {
			return w.Upload(t, testcert.ChainOf{Names: names, NotBefore: now.AddDate(0, 0, begin), NotAfter: now.AddDate(0, 0, end)}.New(t), "")
		}
		other := of(-10, 500, "example.org")
		_ = of(-10, 100, "www.example.com")
		best := of(-10, 200, "www.example.com", "shop.example.com")
		wild := of(-10, 150, "*.example.com")
		expired := of(-400, -1, "old.example.net")
		future := of(10, 600, "www.example.com", "new.example.net")

		for host, want := range map[string]string{
			"www.example.com": best, "WWW.example.com": best, "shop.example.com": best, "api.example.com": wild, "example.org": other,
		} {
			if got, why := find(host); got != want {
				t.Errorf("for %s found %s, want %s (%s)", host, got, want, why)
			}
		}
		for host, candidates := range map[string][]string{
			"old.example.net": {expired}, "new.example.net": {future}, "example.com": {best, wild, other}, "a.b.example.com": {best, wild, other},
		} {
			got, why := find(host)
			for _, candidate := range candidates {
				if got != "" || !strings.Contains(why, candidate) {
					t.Errorf("for %s found %q; %s is not named in: %s", host, got, candidate, why)
				}
			}
		}
	})
}
