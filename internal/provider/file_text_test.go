package provider_test

import (
	"crypto/x509"
	"encoding/pem"
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestFileText_oneMeaning writes the same file in several forms into every argument that
// usually comes from one. Documents and keys are accepted in each form, and another
// form is no change. The body of a response is sent as it is.
func TestFileText_oneMeaning(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	chain, public := testcert.ChainOf{Intermediates: 1}.New(t), testcert.PublicKey(t, "alice@laptop")
	der, err := x509.MarshalPKIXPublicKey(chain.Signer.Public())
	if err != nil {
		t.Fatal(err)
	}
	w := acctest.Start(t)
	of := func(name string, others object) func(text string) object {
		return func(text string) object {
			given := object{name: text}
			maps.Copy(given, others)
			return given
		}
	}
	for name, test := range map[string]struct {
		kind     string
		given    func(text string) object
		text     string
		verbatim bool
	}{
		"chain":       {"tunnel_tls_certificate", of("certificate_pem", object{"private_key_pem": chain.PKCS8(t)}), chain.PEM(), false},
		"private key": {"tunnel_tls_certificate", of("private_key_pem", object{"certificate_pem": chain.PEM()}), chain.PKCS8(t), false},
		"host key": {"tunnel_ssh_host_certificate", of("public_key", object{
			"ssh_certificate_authority_id": w.Parents.SSHCertificateAuthority, "principals": []any{"a.example.com"},
		}), testcert.PublicKey(t, "root@host") + "\n", false},
		"public key":        {"tunnel_ssh_credential", of("public_key", nil), public + "\n", false},
		"public key in PEM": {"tunnel_ssh_credential", of("public_key", nil), string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})), false},
		"config": {"tunnel_tls_edge_policy", func(text string) object {
			return object{"edge_id": w.Parents.TLSEdge, "inbound": []any{object{"expressions": []any{}, "actions": []any{object{"type": "log", "config": text}}}}}
		}, "{\n  \"metadata\": {\"a\": 1}\n}\n", false},
		"metadata": {"tunnel_tls_edge", of("metadata", nil), "{\n  \"team\": \"web\"\n}\n", false},
		"body":     {"tunnel_http_response_backend", of("body", nil), "<p>Back\nsoon</p>\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			p := w.Protocol(t)
			of := p.Type(test.kind)
			null, plain := tftypes.NewValue(of, nil), acctest.FromJSON(of, test.given(test.text))
			for form, text := range acctest.FileTexts(test.text) {
				state, diagnostics := p.Apply(test.kind, null, acctest.FromJSON(of, test.given(text)))
				acctest.ExpectNone(t, diagnostics)
				plan := p.Plan(test.kind, state, plain)
				p.Must(plan.Diagnostics)
				if same := p.Value(of, plan.PlannedState).Equal(state); same == test.verbatim || len(plan.RequiresReplace) > 0 {
					t.Errorf("%s: no change is %t, replaced for %v", form, same, plan.RequiresReplace)
				}
				p.Apply(test.kind, state, null)
			}
		})
	}
}
