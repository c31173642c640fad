package reserveddomain_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestReservedDomain_certificateAndPolicy changes between certificates and the policy in
// place. With the policy, the service gets a certificate, which plans no change.
func TestReservedDomain_certificateAndPolicy(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	one, two := upload(t, w, "www.example.com"), upload(t, w, "www.example.com")
	policy := map[string]any{"authority": "letsencrypt"}
	state := tftypes.NewValue(p.Type(kind), nil)
	for i, step := range []struct {
		arguments   map[string]any
		issued      string // by the service
		certificate string
	}{
		{map[string]any{"certificate_id": one}, "", one},
		{map[string]any{"certificate_id": two}, "", two},
		{map[string]any{"certificate_management_policy": policy}, one, ""},
		{map[string]any{"certificate_management_policy": policy, "description": "d"}, "", one},
		{map[string]any{"certificate_id": two}, "", two},
		{nil, "", ""},
	} {
		arguments := map[string]any{"domain": "www.example.com"}
		maps.Copy(arguments, step.arguments)
		config := acctest.FromJSON(state.Type(), arguments)
		var found []*tfprotov6.Diagnostic
		state, found = p.Apply(kind, state, config) // fails if it replaces the domain
		acctest.ExpectNone(t, found)
		id, shown := p.Strings(state)["id"], ""
		if certificate := p.Attributes(state)["certificate"]; !certificate.IsNull() {
			shown = p.Strings(certificate)["id"]
		}
		if shown != step.certificate {
			t.Errorf("step %d: the domain has the certificate %q, want %q", i, shown, step.certificate)
		}
		if step.arguments["certificate_management_policy"] != nil {
			job := acctest.JSON(t, p.Attributes(state)["certificate_management_policy"]).(map[string]any)
			if job["private_key_type"] != "ecdsa" || p.Attributes(state)["certificate_management_status"].IsNull() {
				t.Errorf("step %d: %s", i, state)
			}
		}
		if step.issued != "" {
			w.ForceEdit("/reserved_domains/"+id, fmt.Sprintf(`{"certificate_id": %q}`, step.issued))
			state, _ = p.NextRun().Read(kind, state, nil)
		}
		if plan := p.Plan(kind, state, config); !p.Value(state.Type(), plan.PlannedState).Equal(state) {
			t.Errorf("step %d: the next plan has changes", i)
		}
	}
}

func TestReservedDomain_certificateAndPolicyExclude(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	both := map[string]any{"domain": "www.example.com", "certificate_id": "cert_1", "certificate_management_policy": map[string]any{"authority": "letsencrypt"}}
	acctest.Expect(t, p.Validate(kind, p.Attributes(acctest.FromJSON(p.Type(kind), both))), tfprotov6.DiagnosticSeverityError, acctest.At("certificate_id"),
		"Remove certificate_id to let the service get the certificate")
}

func TestReservedDomain_misspelledAuthorityWarns(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for authority, warns := range map[string]bool{"letsencrypt": false, "another": false, "LetsEncrypt": true, "letsencript": true} {
		arguments := map[string]any{"domain": "www.example.com", "certificate_management_policy": map[string]any{"authority": authority}}
		given := acctest.FromJSON(p.Type("tunnel_reserved_domain"), arguments)
		found := p.Check("tunnel_reserved_domain", p.Attributes(given))
		if warns {
			acctest.Expect(t, found, tfprotov6.DiagnosticSeverityWarning, acctest.At("certificate_management_policy"), "certificate_management_policy.authority is \""+authority, `Did you mean "letsencrypt"?`)
		} else {
			acctest.ExpectNone(t, found)
		}
	}
}

func TestReservedDomain_unusualDomainWarns(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for domain, want := range map[string]string{
		"192.0.2.1":       `domain is an IP address: "192.0.2.1". Expected a domain such as www.example.com. The service may reject it.`,
		"localhost":       `domain has one label: "localhost". Expected a domain such as www.example.com.`,
		"example.com":     "",
		"*.example.com":   "",
		"192.0.2.example": "",
	} {
		found := p.Check("tunnel_reserved_domain", map[string]tftypes.Value{"domain": acctest.Text(domain)})
		if want == "" {
			acctest.ExpectNone(t, found)
			continue
		}
		acctest.Expect(t, found, tfprotov6.DiagnosticSeverityWarning, acctest.At("domain"), want)
		if len(found) != 1 || found[0].Summary != "Unusual domain" {
			t.Errorf("%s: expected one warning; found %d", domain, len(found))
		}
	}
}
