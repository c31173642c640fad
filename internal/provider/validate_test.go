package provider_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

func TestValidate_numbers(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	half := tftypes.NewValue(tftypes.Number, 1.5)
	for resource, config := range map[string]arguments{
		"tunnel_ssh_host_certificate":  {"early_renewal_hours": half, "public_key": text(testcert.PublicKey(t, "")), "ssh_certificate_authority_id": text("a")},
		"tunnel_http_response_backend": {"status_code": half},
		"tunnel_tls_certificate":       {"private_key_pem_wo_version": half, "certificate_pem": text(testcert.ChainOf{}.New(t).PEM())},
	} {
		for attribute, value := range config {
			if value.Equal(half) {
				acctest.Expect(t, p.Validate(resource, config), tfprotov6.DiagnosticSeverityError, acctest.At(attribute), attribute+" must be a whole number; found 1.5.")
			}
		}
	}
	huge, _ := new(big.Float).SetString("1e30")
	acctest.Expect(t, p.Validate("tunnel_http_response_backend", arguments{"status_code": tftypes.NewValue(tftypes.Number, huge)}),
		tfprotov6.DiagnosticSeverityError, acctest.At("status_code"), "must be closer to zero; found 1e+30")
	config := p.Dynamic(acctest.Object(p.Schema.Provider.ValueType(), arguments{"max_retries": half}))
	resp, err := p.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: config})
	if err != nil {
		t.Fatal(err)
	}
	acctest.Expect(t, resp.Diagnostics, tfprotov6.DiagnosticSeverityError, acctest.At("max_retries"), "max_retries must be a whole number; found 1.5.")
}

// An invalid attribute is reported if it is set or changed, but not if it
// belongs to an imported object.
func TestValidate_onlyWhatChanges(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	const kind = "tunnel_ssh_credential"
	id := w.ForceCreate("/ssh_credentials", quoted(map[string]any{"public_key": testcert.PublicKey(t, ""), "acl": []string{"bind:my_host.example.com"}}))
	state, _ := p.Import(kind, id, nil)
	kept := p.Attributes(p.Generated(kind, state))
	with := func(name string, value tftypes.Value) arguments {
		changed := arguments{name: value}
		for name, value := range kept {
			if _, ok := changed[name]; !ok {
				changed[name] = value
			}
		}
		return changed
	}
	plan := func(config arguments) []*tfprotov6.Diagnostic {
		acctest.ExpectNone(t, p.Validate(kind, config))
		return p.Plan(kind, state, acctest.Object(p.Type(kind), config)).Diagnostics
	}
	acctest.ExpectNone(t, plan(kept))
	acctest.ExpectNone(t, plan(with("description", text("new"))))
	acctest.ExpectNone(t, plan(with("acl", acctest.Texts("bind:www.example.com", "bind:my_host.example.com"))))
	acctest.Expect(t, plan(with("acl", acctest.Texts("bind:other_host.example.com"))), tfprotov6.DiagnosticSeverityError, acctest.At("acl"), "ACL rule")
	acctest.Expect(t, p.PlanNew(kind, with("description", text("new"))).Diagnostics, tfprotov6.DiagnosticSeverityError, acctest.At("acl"), "ACL rule")
	// Both errors are reported.
	both := with("acl", acctest.Texts("bind:other_host.example.com"))
	both["description"] = text(strings.Repeat("a", 256))
	if found := plan(both); len(found) != 2 {
		t.Errorf("%d errors, want 2", len(found))
	}
}
