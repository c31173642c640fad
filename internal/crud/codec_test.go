package crud_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/protocol"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

type codec interface {
	Codec(context.Context, tftypes.Value) (same bool, own, framework tftypes.Value, diags diag.Diagnostics)
	Decodes(context.Context, tftypes.Value) bool
	RoundTrips(ctx context.Context, raw tftypes.Value, byFramework bool)
	Zero(context.Context) tftypes.Value
	StateType(context.Context) tftypes.Type
}

func codecs() map[string]codec {
	all := map[string]codec{}
	for name, r := range protocol.Resources(provider.New("test")()) {
		all[name] = r.(codec) //nolint:forcetypeassert // a panic is a failure
	}
	return all
}

// The codec and the framework agree on each value of each attribute of every kind.
func TestCodec_equalsFramework(t *testing.T) {
	t.Parallel()
	for name, r := range codecs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			of, _ := r.StateType(t.Context()).(tftypes.Object)
			random := rand.New(rand.NewPCG(1, 1))
			whole := acctest.AnyValue(random, of, 0)
			for whole.IsNull() {
				whole = acctest.AnyValue(random, of, 0)
			}
			states := map[string]tftypes.Value{"null": tftypes.NewValue(of, nil), "unknown": tftypes.NewValue(of, tftypes.UnknownValue)}
			for attribute, one := range of.AttributeTypes {
				with := func(value tftypes.Value) tftypes.Value {
					var attributes map[string]tftypes.Value
					if err := whole.As(&attributes); err != nil {
						t.Fatal(err)
					}
					attributes = maps.Clone(attributes)
					attributes[attribute] = value
					return tftypes.NewValue(of, attributes)
				}
				states[attribute+" null"], states[attribute+" unknown"] = with(tftypes.NewValue(one, nil)), with(tftypes.NewValue(one, tftypes.UnknownValue))
				for i := range 40 {
					states[fmt.Sprint(attribute, " ", i)] = with(acctest.AnyValue(random, one, 3))
				}
			}
			for _, which := range slices.Sorted(maps.Keys(states)) {
				same, own, framework, diags := r.Codec(t.Context(), states[which])
				if !same || !diags.HasError() && !own.Equal(framework) {
					t.Errorf("%s: %s\nframework: %s\ncodec:     %s\n%v", which, states[which], framework, own, diags)
				}
				if !diags.HasError() && !r.Decodes(t.Context(), states[which]) {
					t.Errorf("%s: only the framework decodes %s", which, states[which])
				}
			}
		})
	}
}

// A model without values, such as that of a list that fails, is a state of nulls.
func TestCodec_encodesTheZeroModel(t *testing.T) {
	t.Parallel()
	for name, r := range codecs() {
		var attributes map[string]tftypes.Value
		if err := r.Zero(t.Context()).As(&attributes); err != nil {
			t.Fatal(err)
		}
		for attribute, value := range attributes {
			if !value.IsNull() {
				t.Errorf("%s.%s is %s", name, attribute, value)
			}
		}
	}
}

// If the framework is as fast as the codec, remove the codec.
func BenchmarkCodec(b *testing.B) {
	all := codecs()
	for _, name := range []string{"tunnel_ssh_credential", "tunnel_tls_certificate", "tunnel_tls_edge_policy"} {
		random := rand.New(rand.NewPCG(1, 1))
		raw := acctest.AnyValue(random, all[name].StateType(b.Context()), 0)
		for raw.IsNull() || !all[name].Decodes(b.Context(), raw) {
			raw = acctest.AnyValue(random, all[name].StateType(b.Context()), 0)
		}
		for way, byFramework := range map[string]bool{"codec": false, "framework": true} {
			b.Run(name+"/"+way, func(b *testing.B) {
				for b.Loop() {
					all[name].RoundTrips(b.Context(), raw, byFramework)
				}
			})
		}
	}
}
