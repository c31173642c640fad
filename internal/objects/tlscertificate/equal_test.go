package tlscertificate_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestTLSCertificate_sameContentPlansNoChange applies a chain and a key with byte order
// marks and indentation, which are not sent to the service, and plans other forms.
func TestTLSCertificate_sameContentPlansNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	chain := testcert.ChainOf{Intermediates: 1}.New(t)
	config := func(chain, key string) tftypes.Value {
		return acctest.FromJSON(p.Type(kind), map[string]any{"certificate_pem": chain, "private_key_pem": key})
	}
	given := config("\ufeff"+strings.Join(chain.Blocks, "\ufeff"), "\ufeff"+strings.ReplaceAll(chain.PKCS8(t), "\n", "\n\t"))
	state, diags := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), given)
	acctest.ExpectNone(t, diags)
	if sent := w.List("/tls_certificates")[0]["certificate_pem"]; sent != chain.PEM() {
		t.Errorf("the service holds %q", sent)
	}
	for name, other := range map[string]tftypes.Value{
		"reformatted":      config(testcert.Reformatted(chain.PEM()), testcert.Reformatted(testcert.Traditional(t, chain.Signer))),
		"without the root": config(chain.PEM(1, 2), testcert.Traditional(t, chain.Signer)),
		"indented":         config("  "+strings.ReplaceAll(strings.TrimSpace(chain.PEM()), "\n", "\n  "), chain.PKCS8(t)),
	} {
		plan := p.Plan(kind, state, other)
		p.Must(plan.Diagnostics)
		if planned := p.Value(p.Type(kind), plan.PlannedState); !planned.Equal(state) {
			diff, _ := state.Diff(planned)
			t.Errorf("%s: planned %v", name, diff)
		}
	}
}
