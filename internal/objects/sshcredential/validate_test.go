package sshcredential_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

const (
	kind    = "tunnel_ssh_credential"
	isError = tfprotov6.DiagnosticSeverityError
	isWarn  = tfprotov6.DiagnosticSeverityWarning
)

type values = map[string]tftypes.Value

// TestSSHCredential_unrestrictedWarns plans credentials that can bind anything, or whose
// rules have no effect.
func TestSSHCredential_unrestrictedWarns(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	key := testcert.PublicKey(t, "")
	state, _ := p.Import(kind, w.Create("/ssh_credentials", fmt.Sprintf(`{"public_key": %q, "acl": ["bind:env=prod"]}`, key)), nil)
	none := tftypes.NewValue(p.Type(kind), nil)
	for _, test := range []struct {
		prior tftypes.Value
		acl   tftypes.Value
		want  string
	}{
		{state, tftypes.NewValue(acctest.Texts().Type(), nil), "SSH credential without restrictions"},
		{state, acctest.Texts("*"), ""},
		{state, acctest.Texts("bind:env=test"), ""},
		{none, acctest.Texts(), "can bind anything"},
		{none, acctest.Texts("*"), ""},
		{none, acctest.Texts("bind:*", "bind:env=prod"), ""},
		{none, acctest.Texts("bind:env=prod", "*"), "ACL rules without effect: "},
	} {
		found := p.Plan(kind, test.prior, acctest.Object(p.Type(kind), values{"public_key": acctest.Text(key), "acl": test.acl})).Diagnostics
		if test.want == "" {
			acctest.ExpectNone(t, found)
		} else {
			acctest.Expect(t, found, isWarn, acctest.At("acl"), test.want)
		}
	}
}

func TestSSHCredential_unknownValues(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	text, set := tftypes.NewValue(tftypes.String, tftypes.UnknownValue), tftypes.List{ElementType: tftypes.String}
	for _, acl := range []tftypes.Value{tftypes.NewValue(set, tftypes.UnknownValue), tftypes.NewValue(set, []tftypes.Value{text, acctest.Text("bind:env=prod")})} {
		config := values{"public_key": text, "acl": acl, "owner_id": text}
		acctest.ExpectNone(t, p.Check(kind, config))
		acctest.ExpectNone(t, p.PlanNew(kind, config).Diagnostics)
	}
}
