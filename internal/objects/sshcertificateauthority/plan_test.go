package sshcertificateauthority_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const kind = "tunnel_ssh_certificate_authority"

// TestSSHCertificateAuthority_typeIsKnownInPlan checks that the plan of an authority
// shows what follows from private_key_type. The service does not return the curve and the
// size, so that the state has them from the public key.
func TestSSHCertificateAuthority_typeIsKnownInPlan(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	null, number := tftypes.NewValue(tftypes.String, nil), tftypes.NewValue(tftypes.Number, nil)
	type values = map[string]tftypes.Value
	for name, test := range map[string]struct{ given, want values }{
		"ed25519": {values{"private_key_type": acctest.Text("ed25519")}, values{"key_type": acctest.Text("ed25519"), "elliptic_curve": null, "key_size": number}},
		"ecdsa":   {values{"private_key_type": acctest.Text("ecdsa")}, values{"key_type": acctest.Text("ecdsa"), "elliptic_curve": acctest.Text("p256"), "key_size": number}},
		"p384": {
			values{"private_key_type": acctest.Text("ecdsa"), "elliptic_curve": acctest.Text("p384")},
			values{"key_type": acctest.Text("ecdsa"), "elliptic_curve": acctest.Text("p384"), "key_size": number},
		},
		"rsa":  {values{"private_key_type": acctest.Text("rsa")}, values{"key_type": acctest.Text("rsa"), "elliptic_curve": null, "key_size": acctest.Number(2048)}},
		"none": {nil, values{"key_type": acctest.Text("ed25519"), "private_key_type": acctest.Text("ed25519"), "elliptic_curve": null, "key_size": number}},
	} {
		plan := p.PlanNew(kind, test.given)
		p.Must(plan.Diagnostics)
		state, found := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), acctest.Object(p.Type(kind), test.given))
		acctest.ExpectNone(t, found)
		for when, got := range map[string]values{"planned": p.Attributes(p.Value(p.Type(kind), plan.PlannedState)), "applied": p.Attributes(state)} {
			for attribute, value := range test.want {
				if !got[attribute].Equal(value) {
					t.Errorf("%s: %s is %s as %s, want %s", name, attribute, when, got[attribute], value)
				}
			}
		}
		// Without them, the authority keeps its curve and size.
		delete(test.given, "elliptic_curve")
		kept := p.Plan(kind, state, acctest.Object(p.Type(kind), test.given))
		if planned := p.Value(p.Type(kind), kept.PlannedState); !planned.Equal(state) {
			t.Errorf("%s: planned %s, want %s", name, planned, state)
		}
	}
	wrong := values{"key_size": acctest.Number(2048)}
	acctest.Expect(t, p.Check(kind, wrong), tfprotov6.DiagnosticSeverityError, acctest.At("key_size"), "key_size is only valid with private_key_type")
}

// TestSSHCertificateAuthority_typeComesFromPublicKey checks that a service that
// returns key_type in another form does not cause a replacement.
func TestSSHCertificateAuthority_typeComesFromPublicKey(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"informative_null", "informative_number"} {
		w := acctest.Start(t)
		w.SetBehavior(rule)
		id := w.Create("/ssh_certificate_authorities", `{"private_key_type": "ecdsa"}`)
		state, _ := w.Protocol(t).Import(kind, id, nil)
		p := w.Protocol(t)
		attributes := p.Attributes(state)
		if !attributes["private_key_type"].Equal(acctest.Text("ecdsa")) || !attributes["elliptic_curve"].Equal(acctest.Text("p256")) {
			t.Errorf("%s: private_key_type is %s, elliptic_curve %s", rule, attributes["private_key_type"], attributes["elliptic_curve"])
		}
		plan := p.Plan(kind, state, acctest.Object(p.Type(kind), map[string]tftypes.Value{"private_key_type": acctest.Text("ecdsa")}))
		p.Must(plan.Diagnostics)
		if len(plan.RequiresReplace) > 0 {
			t.Errorf("%s: replaced for %v", rule, plan.RequiresReplace)
		}
	}
}
