package sshcredential_test

import (
	"fmt"
	"strings"
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

// TestSSHCredential_limits checks the limits at both sides, and what no ID contains. None
// of them sends a request.
func TestSSHCredential_limits(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	for _, test := range []struct {
		attribute, value string
		severity         tfprotov6.DiagnosticSeverity // 0 for no diagnostic
		want             string
	}{
		{"description", strings.Repeat("é", 128), isError, "description must be at most 255 bytes long; found 256"},
		{"description", strings.Repeat("é", 127) + "x", 0, ""},
		{"metadata", strings.Repeat("m", 4097), isError, "metadata must be at most 4096 bytes long; found 4097"},
		{"metadata", strings.Repeat("m", 4096), 0, ""},
		{"owner_id", "", isError, "owner_id must be an ID; found an empty string"},
		{"owner_id", "alice@example.com", isWarn, `owner_id is an e-mail address: "alice@example.com". Expected an ID.`},
	} {
		found := p.Check(kind, values{"public_key": acctest.Text(testcert.PublicKey(t, "")), test.attribute: acctest.Text(test.value)})
		if test.severity == 0 {
			acctest.ExpectNone(t, found)
		} else {
			acctest.Expect(t, found, test.severity, acctest.At(test.attribute), test.want)
		}
	}
	if sent := w.Sent(); sent > 0 {
		t.Errorf("%d requests were sent, want none", sent)
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
