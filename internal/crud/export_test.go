package crud

import (
	"context"
	"reflect"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Codec decodes a state and encodes it again. It reports whether the codec and the
// framework have the same models, and returns their states.
func (r *kindResource) Codec(ctx context.Context, raw tftypes.Value) (same bool, own, framework tftypes.Value, diags diag.Diagnostics) {
	decoded, expected := r.kind.newModel(), r.kind.newModel()
	state := tfsdk.State{Raw: raw, Schema: r.kind.Schema}
	diags = r.decode(ctx, raw, decoded)
	if theirs := state.Get(ctx, expected); theirs.HasError() != diags.HasError() {
		return false, raw, raw, diags
	}
	if diags.HasError() {
		return true, raw, raw, diags
	}
	own = raw
	diags.Append(r.encode(ctx, decoded, &own)...)
	diags.Append(state.Set(ctx, expected)...)
	return cmp.Equal(decoded, expected, cmp.Exporter(func(reflect.Type) bool { return true })), own, state.Raw, diags
}

// Decodes reports whether the codec decodes a state without the framework.
func (r *kindResource) Decodes(ctx context.Context, raw tftypes.Value) bool {
	model := r.kind.newModel()
	return decodeInto(ctx, r.kind.object, raw, reflect.ValueOf(model).Elem()) == nil
}

// RoundTrips decodes and encodes a state, by the codec or the framework.
func (r *kindResource) RoundTrips(ctx context.Context, raw tftypes.Value, byFramework bool) {
	model := r.kind.newModel()
	if !byFramework {
		r.decode(ctx, raw, model)
		r.encode(ctx, model, &raw)
		return
	}
	state := tfsdk.State{Raw: raw, Schema: r.kind.Schema}
	state.Get(ctx, model)
	state.Set(ctx, model)
}

// Zero returns the state of a model without values.
func (r *kindResource) Zero(ctx context.Context) (raw tftypes.Value) {
	r.encode(ctx, r.kind.newModel(), &raw)
	return raw
}
