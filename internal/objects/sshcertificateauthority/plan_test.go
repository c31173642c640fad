package sshcertificateauthority_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestSSHCertificateAuthority_typeIsKnownInPlan checks that a plan that creates
// or replaces an authority shows what follows from private_key_type.
func TestSSHCertificateAuthority_typeIsKnownInPlan(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	const kind = "tunnel_ssh_certificate_authority"
	null, number := tftypes.NewValue(tftypes.String, nil), tftypes.NewValue(tftypes.Number, nil)
	for keyType, want := range map[string]map[string]tftypes.Value{
		"ed25519": {"key_type": acctest.Text("ed25519"), "elliptic_curve": null, "key_size": number},
		"ecdsa":   {"key_type": acctest.Text("ecdsa"), "elliptic_curve": acctest.Text("p256"), "key_size": number},
		"rsa":     {"key_type": acctest.Text("rsa"), "elliptic_curve": null, "key_size": acctest.Number(2048)},
		"":        {"key_type": acctest.Text("ed25519"), "private_key_type": acctest.Text("ed25519"), "elliptic_curve": null, "key_size": number},
	} {
		arguments := map[string]tftypes.Value{"private_key_type": acctest.Text(keyType)}
		if keyType == "" {
			arguments = nil
		}
		plan := p.PlanNew(kind, arguments)
		p.Must(plan.Diagnostics)
		planned := p.Attributes(p.Value(p.Type(kind), plan.PlannedState))
		for name, value := range want {
			if !planned[name].Equal(value) {
				t.Errorf("%s: %s is planned as %s, want %s", keyType, name, planned[name], value)
			}
		}
	}
}

// TestSSHCertificateAuthority_typeComesFromPublicKey checks that a service that
// returns key_type in another form does not cause a replacement.
func TestSSHCertificateAuthority_typeComesFromPublicKey(t *testing.T) {
	t.Parallel()
	const kind = "tunnel_ssh_certificate_authority"
	for _, rule := range []string{"informative_null", "informative_number", "informative_object"} {
		w := acctest.Start(t)
		w.SetBehavior(rule)
		id := w.CreateSSHCertificateAuthority("ecdsa")
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
