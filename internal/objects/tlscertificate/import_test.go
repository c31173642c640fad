package tlscertificate_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestTLSCertificate_keyAfterImport adds the key of an imported certificate in every
// form, changes its form and removes it, which only changes the state. Another version,
// and another certificate, replace it.
func TestTLSCertificate_keyAfterImport(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	chain, next := testcert.ChainOf{Intermediates: 1}.New(t), testcert.ChainOf{}.New(t)
	imported, _ := p.Import(kind, w.Upload(t, chain, ""), nil)
	w.ResetStats()
	of := func(chain *testcert.Chain, arguments map[string]any) tftypes.Value {
		all := map[string]any{"certificate_pem": testcert.Reformatted(chain.PEM())}
		maps.Copy(all, arguments)
		return acctest.FromJSON(p.Type(kind), all)
	}
	written := func(key string, version int) map[string]any {
		return map[string]any{"private_key_pem_wo": key, "private_key_pem_wo_version": version}
	}
	key := chain.PKCS8(t)
	inState := map[string]any{"private_key_pem": key}
	for name, steps := range map[string][]map[string]any{
		"in the state":      {inState, {}, inState, written(key, 1)},
		"in another format": {{"private_key_pem": testcert.Traditional(t, chain.Signer)}},
		"without a version": {{"private_key_pem_wo": key}},
		"written":           {written(key, 1), written(testcert.Traditional(t, chain.Signer), 1), inState},
		"no key yet":        {{"private_key_pem_wo_version": 7}},
	} {
		state := imported
		for _, step := range steps { // Apply fails if the plan replaces the certificate
			applied, diags := p.Apply(kind, state, of(chain, step))
			p.Must(diags)
			if state = applied; step["private_key_pem_wo"] != nil && !p.Attributes(state)["private_key_pem_wo"].IsNull() {
				t.Errorf("%s: the state has the key", name)
			}
		}
	}
	for route := range w.Stats().Requests {
		if !strings.HasPrefix(route, "GET ") {
			t.Errorf("%s was sent", route)
		}
	}
	state, _ := p.Apply(kind, imported, of(chain, written(key, 1)))
	unknown := p.Attributes(of(chain, nil))
	unknown["certificate_pem"], unknown["private_key_pem"] = tftypes.NewValue(tftypes.String, tftypes.UnknownValue), tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	for name, config := range map[string]tftypes.Value{
		"another version": of(chain, written(key, 2)), "another certificate": of(next, written(next.PKCS8(t), 1)), "unknown": acctest.Object(p.Type(kind), unknown),
	} {
		plan := p.Plan(kind, state, config)
		p.Must(plan.Diagnostics)
		if len(plan.RequiresReplace) == 0 {
			t.Errorf("%s: the certificate is not replaced", name)
		}
	}
}
