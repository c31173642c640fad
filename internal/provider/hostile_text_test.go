package provider_test

import (
	"crypto/x509/pkix"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// hostileText would print in red, begin a command of a CI runner, and look like
// the end of an apply.
const hostileText = "web\x1b[31m\r\n::error::x\nApply complete! Resources: 1\n\u202egnp"

// expectSafe expects texts that contain the hostile text, and that none of its
// parts begins a line.
func expectSafe(t *testing.T, diags []*tfprotov6.Diagnostic) {
	t.Helper()
	found := false
	for _, d := range diags {
		found = found || strings.Contains(d.Summary+d.Detail, "web")
		isSafe(t, "", d)
	}
	if !found {
		t.Errorf("no text shows the hostile text: %+v", diags)
	}
}

func isSafe(t *testing.T, where string, d *tfprotov6.Diagnostic) {
	t.Helper()
	if strings.ContainsAny(d.Summary, "\n\r\x1b\u202e") {
		t.Errorf("%s: summary %q", where, d.Summary)
	}
	for line := range strings.SplitSeq(d.Detail, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "::") || strings.HasPrefix(line, "Apply") || strings.ContainsAny(line, "\r\x1b\u202e") {
			t.Errorf("%s: line %q of %q", where, line, d.Detail)
		}
	}
}

// TestHostileText_everyPlace sets the text, or a short one, in each place of a
// configuration: texts are escaped where messages insert them, and nowhere else.
func TestHostileText_everyPlace(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t, testserver.WithContractCheck(func(error) {})) // the texts are no valid IDs
	p := w.Protocol(t)
	everyPlace(t, p, []string{hostileText, "::error::x"}, func(_, where string, diagnostics []*tfprotov6.Diagnostic) {
		for _, d := range diagnostics {
			isSafe(t, where, d)
		}
	})
}

func TestHostileText_certificate(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	const kind = "tunnel_tls_certificate"
	soon := time.Now().Add(time.Hour)
	for name, of := range map[string]testcert.ChainOf{
		"expires":      {NotAfter: soon},
		"not yet":      {NotBefore: soon},
		"intermediate": {Intermediates: 1, IssuersNotAfter: soon, NotAfter: soon.AddDate(1, 0, 0)},
	} {
		of.Subject = pkix.Name{CommonName: hostileText}
		chain := of.New(t)
		config := acctest.Object(p.Type(kind), arguments{
			"certificate_pem": acctest.Text(chain.PEM()), "private_key_pem": acctest.Text(chain.PKCS8(t)),
		})
		expectSafe(t, p.Plan(kind, tftypes.NewValue(p.Type(kind), nil), config).Diagnostics)
		if name == "not yet" {
			continue
		}
		state, _ := p.Import(kind, w.Upload(t, chain, ""), nil)
		expectSafe(t, p.Plan(kind, state, p.Kept(kind, state)).Diagnostics)
	}
	chain := testcert.ChainOf{Intermediates: 1, Subject: pkix.Name{CommonName: hostileText}}.New(t)
	config := acctest.Object(p.Type(kind), arguments{"certificate_pem": acctest.Text(chain.PEM(1, 3)), "private_key_pem": acctest.Text(chain.PKCS8(t))})
	expectSafe(t, p.Plan(kind, tftypes.NewValue(p.Type(kind), nil), config).Diagnostics)
}

func TestHostileText_service(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusInternalServerError} {
		service := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "application/json")
			rw.WriteHeader(status)
			_ = json.NewEncoder(rw).Encode(map[string]any{"status_code": status, "error_code": hostileText, "msg": hostileText})
		}))
		t.Cleanup(service.Close)
		p := acctest.NewProtocol(t)
		given := arguments{"base_url": acctest.Text(service.URL), "api_key": acctest.Text("key")}
		if status == http.StatusUnauthorized {
			expectSafe(t, p.TryConfigure(given))
		}
		given["skip_credentials_validation"] = tftypes.NewValue(tftypes.Bool, true)
		given["max_retries"] = acctest.Number(0)
		p.Configure(given)
		expectSafe(t, importErrors(t, p, "tunnel_tls_edge", "edgtls_1"))
	}
}

func TestHostileText_listName(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.Create("/backends/failover", quoted(map[string]any{"backends": []string{}, "description": hostileText}))
	for _, result := range w.Protocol(t).List("tunnel_failover_backend", 10, arguments{}) {
		if !strings.Contains(result.Name, "web") || strings.ContainsAny(result.Name, "\n\r\x1b\u202e") {
			t.Errorf("%q", result.Name)
		}
	}
}
