package reserveddomain_test

import (
	"crypto/x509/pkix"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const kind = "tunnel_reserved_domain"

// upload creates a certificate for host names, and returns its id.
func upload(t *testing.T, w *acctest.Env, names ...string) string {
	t.Helper()
	return w.Upload(t, testcert.ChainOf{Names: names, Subject: pkix.Name{CommonName: "www.example.com"}}.New(t), "")
}

func TestReservedDomain_certificateForOtherNamesWarns(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	for _, test := range []struct {
		domain string
		names  []string
		covers bool
	}{
		{"www.example.com", []string{"www.example.com"}, true},
		{"WWW.example.com", []string{"other.example.com", "www.EXAMPLE.com"}, true},
		{"www.example.com", []string{"*.example.com"}, true},
		{"example.com", []string{"*.example.com"}, false},
		{"www.shop.example.com", []string{"*.example.com"}, false},
		{"www.shop.example.net", []string{"b.example.com", "other.example.com"}, false},
		{"*.example.com", []string{"*.example.com"}, true},
		{"*.example.com", []string{"example.com", "www.example.com"}, false},
		{"*.shop.example.com", []string{"*.example.com"}, false},
		{"www.example.com", []string{}, false},
	} {
		p := w.Protocol(t)
		id := upload(t, w, test.names...)
		w.ResetStats()
		plan := p.PlanNew(kind, map[string]tftypes.Value{"domain": acctest.Text(test.domain), "certificate_id": acctest.Text(id)})
		if test.covers {
			acctest.ExpectNone(t, plan.Diagnostics)
		} else {
			texts := append([]string{"does not cover " + test.domain, id}, test.names...)
			if len(test.names) == 0 {
				texts = append(texts, "has only the common name", "no subject alternative name for "+test.domain)
			}
			acctest.Expect(t, plan.Diagnostics, tfprotov6.DiagnosticSeverityWarning, acctest.At("certificate_id"), texts...)
		}
		if sent := w.Sent(); sent != 1 {
			t.Errorf("%s: the plan sent %d requests", test.domain, sent)
		}
	}
}

// TestReservedDomain_certificateWarnsOnlyOfChanges checks that only a plan that sets
// or changes one of the two arguments reads the certificate, and only once.
func TestReservedDomain_certificateWarnsOnlyOfChanges(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	id, covering := upload(t, w, "other.example.com"), upload(t, w, "www.example.com")
	p := w.Protocol(t)
	state, _ := p.Import(kind, w.Create("/reserved_domains", fmt.Sprintf(`{"domain": "www.example.com", "certificate_id": %q}`, id)), nil)
	for name, test := range map[string]struct {
		domain, certificate, description string
		warns                            bool
	}{
		"no change":           {"www.example.com", id, "", false},
		"description":         {"www.example.com", id, "new", false},
		"case of the domain":  {"WWW.example.com", id, "new", false},
		"domain":              {"shop.example.com", id, "", true},
		"certificate":         {"www.example.com", covering, "", false},
		"without certificate": {"www.example.com", "", "", false},
		"both":                {"shop.example.com", covering, "", true},
	} {
		p := w.Protocol(t)
		arguments := map[string]any{"domain": test.domain}
		if test.certificate != "" {
			arguments["certificate_id"] = test.certificate
		}
		if test.description != "" {
			arguments["description"] = test.description
		}
		config := acctest.FromJSON(p.Type(kind), arguments)
		w.ResetStats()
		plan, plans := p.Plan(kind, state, config), 1
		if len(plan.RequiresReplace) > 0 { // Terraform plans again, for the new object
			p.Plan(kind, tftypes.NewValue(state.Type(), nil), config)
			plans++
		}
		if test.warns {
			acctest.Expect(t, plan.Diagnostics, tfprotov6.DiagnosticSeverityWarning, acctest.At("certificate_id"), "does not cover shop.example.com")
		} else {
			acctest.ExpectNone(t, plan.Diagnostics)
		}
		reads := w.Stats().Requests["GET /tls_certificates/{id}"]
		if want := map[bool]int{true: plans}[test.warns || name == "certificate"]; reads != want {
			t.Errorf("%s: %d reads of the certificate, want %d", name, reads, want)
		}
	}
}

// TestReservedDomain_unreadableCertificateIsNoError plans with a certificate that
// cannot be read, or of which the service says too little.
func TestReservedDomain_unreadableCertificateIsNoError(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]*testserver.Rule{
		"missing": nil,
		"503":     {Behavior: "empty_before=503"},
		"html":    {Behavior: "html"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			id, p := upload(t, w, "other.example.com"), w.Protocol(t)
			if fault == nil {
				w.Delete("/tls_certificates/" + id)
			} else {
				w.SetRules(*fault)
			}
			w.ResetStats()
			plan := p.PlanNew(kind, map[string]tftypes.Value{"domain": acctest.Text("www.example.com"), "certificate_id": acctest.Text(id)})
			acctest.ExpectNone(t, plan.Diagnostics)
			if sent := w.Sent(); sent != 1 {
				t.Errorf("the plan sent %d requests", sent)
			}
		})
	}
	p := acctest.NewProtocol(t) // without a client
	unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	acctest.ExpectNone(t, p.PlanNew(kind, map[string]tftypes.Value{"domain": acctest.Text("www.example.com"), "certificate_id": unknown}).Diagnostics)
}
