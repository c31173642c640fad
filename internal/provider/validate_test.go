package provider_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

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
