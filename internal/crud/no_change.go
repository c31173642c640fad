package crud

// This file keeps a promise: objects that do not change cost next to nothing.

import (
	"bytes"
	"context"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// PlansNoChange reports whether the framework would plan the prior state
// without a diagnostic, so that it is not needed. The arguments are in
// MessagePack. It requires that the proposed state is the prior state, so that the
// configuration sets no write-only value, and that no default replaces a null of
// the configuration.
//
// Plan modifiers have no effect then. A test compares the result with the
// framework's, for every kind and attribute.
func (r *kindResource) PlansNoChange(provider *Provider, prior, proposed, config []byte) bool {
	if !bytes.Equal(prior, proposed) {
		return false
	}
	u := &Unchanged{Provider: provider}
	state, err := encodedAttributes(prior)
	if err != nil {
		return false
	}
	u.state = state
	if u.config, err = encodedAttributes(config); err != nil {
		return false
	}
	for name, value := range r.defaults {
		if isNull(u.config[name]) && !bytes.Equal(state[name], value) {
			return false
		}
	}
	if slices.ContainsFunc(r.nestedDefaults, func(name string) bool { return !isNull(u.config[name]) }) {
		return false // a default may replace a null in the value
	}
	needed := r.kind.NeedsPlan != nil && r.kind.NeedsPlan(u) || provider.run.account.asks(u.Text(r.kind.Keys[0].Name))
	return !needed && !u.undecodable
}

// ReadsNoChange reports whether a list page shows that the object of a state
// did not change. Then the framework is not needed, which takes longer than
// everything else: it looks up each value of a state in the schema several
// times. If only the spelling of a value differs, the state keeps its own. A
// page may be outdated or shortened, so any difference is confirmed by a GET.
//
// The identity is that of the object.
func (r *kindResource) ReadsNoChange(
	ctx context.Context, provider *Provider, current tftypes.Value,
) (identity tftypes.Value, ok bool) {
	model := r.kind.newModel()
	if current.IsNull() || r.imports(current) || r.decode(ctx, current, model).HasError() {
		return identity, false // for an import, any object is a change
	}
	object, ok := r.kind.Operations.Cached(ctx, provider.Client, model)
	if !ok {
		return identity, false
	}
	provider.run.account.found.Store(true)
	before := r.kind.copyOf(model)
	r.kind.Fill(provider, object, model)
	if !reflect.DeepEqual(before, model) { // much cheaper than the comparison of states
		filled := current
		if r.encode(ctx, model, &filled).HasError() || !r.sameState(ctx, filled, current) {
			return identity, false
		}
	}
	keys, types := map[string]tftypes.Value{}, map[string]tftypes.Type{}
	for _, key := range r.kind.Keys {
		keys[key.Name], types[key.Name] = tftypes.NewValue(tftypes.String, key.Of(model).ValueString()), tftypes.String
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, keys), true
}

// sameState reports whether two states have the same meaning.
func (r *kindResource) sameState(ctx context.Context, a, b tftypes.Value) bool {
	state, err := r.kind.object.ValueFromTerraform(ctx, a)
	if err != nil {
		return false
	}
	other, err := r.kind.object.ValueFromTerraform(ctx, b)
	return err == nil && sameValue(ctx, state, other)
}

// IsSecret reports whether nobody may see the value of an attribute.
func (r *kindResource) IsSecret(attribute string) bool {
	of, ok := r.kind.Schema.Attributes[attribute]
	return ok && (of.IsSensitive() || of.IsWriteOnly())
}

// StateType returns the type of the resource's state.
func (r *kindResource) StateType(context.Context) tftypes.Type { return r.kind.state }

// StateVersion returns the version of the schema of the resource's state.
func (r *kindResource) StateVersion() int64 { return r.kind.Schema.Version }
