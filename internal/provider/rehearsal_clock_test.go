package provider_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// A certificate that ends in 2031 is planned at the time of a server in 2032.
func TestRehearsalClock_plansAtTheTimeOfTheService(t *testing.T) { //nolint:paralleltest // it sets an environment variable
	w := acctest.Start(t)
	if err := w.SetClock(time.Date(2032, 2, 29, 12, 0, 0, 0, time.UTC), true); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		variable, baseURL string
		severity          tfprotov6.DiagnosticSeverity
		want              string // summary and text of the only diagnostic; empty if there is none
		past              bool   // the plan is made in 2032
	}{
		"not set":         {"", w.URL, 0, "", false},
		"false":           {"false", w.URL, 0, "", false},
		"true":            {"true", w.URL, tfprotov6.DiagnosticSeverityWarning, "Rehearsal at 2032-02-29T12:00:00Z", true},
		"localhost":       {"1", strings.Replace(w.URL, "127.0.0.1", "localhost", 1), tfprotov6.DiagnosticSeverityWarning, "Rehearsal at 2032-02-29T12:00:00Z", true},
		"invalid":         {"2032-02-29", w.URL, tfprotov6.DiagnosticSeverityError, "must be true or false; found \"2032-02-29\"", false},
		"another machine": {"true", "https://api.example.com", tfprotov6.DiagnosticSeverityWarning, "TUNNEL_REHEARSAL_CLOCK has no effect", false},
		"no answer":       {"true", "http://127.0.0.1:1", tfprotov6.DiagnosticSeverityError, "Could not read the time of the service", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TUNNEL_REHEARSAL_CLOCK", test.variable)
			p := acctest.NewProtocol(t)
			diagnostics := p.TryConfigure(arguments{
				"base_url": text(test.baseURL), "api_key": text(w.AdminKey), "skip_credentials_validation": tftypes.NewValue(tftypes.Bool, true),
			})
			if test.want == "" {
				acctest.ExpectNone(t, diagnostics)
			} else {
				acctest.Expect(t, diagnostics, test.severity, nil, test.want)
			}
			if test.severity == tfprotov6.DiagnosticSeverityError {
				return
			}
			plan := p.PlanNew("tunnel_ssh_host_certificate", arguments{
				"ssh_certificate_authority_id": text(w.Parents.SSHCertificateAuthority), "public_key": text(testcert.PublicKey(t, "")),
				"principals": acctest.Texts("host.example.com"), "valid_until": text("2031-01-01T00:00:00Z"),
			})
			if test.past {
				acctest.Expect(t, plan.Diagnostics, tfprotov6.DiagnosticSeverityError, acctest.At("valid_until"), "it is now 2032-02-29T12:00:00Z")
			} else {
				acctest.ExpectNone(t, plan.Diagnostics)
			}
		})
	}
}
