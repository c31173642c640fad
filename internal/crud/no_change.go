package crud

import (
	"bytes"
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// PlansNoChange reports whether the framework would plan the prior state
// without a diagnostic, so that it is not needed. The arguments are in
// MessagePack. It requires that the proposed state is the prior state, except
// for write-only values, which no state contains, and that no default replaces
// a null of the configuration.
//
// Plan modifiers have no effect then. A test compares the result with the
// framework's, for every kind and attribute.
func (r *kindResource[M, T]) PlansNoChange(provider *Provider, prior, proposed, config []byte) bool {
	if r.kind.Plan != nil && r.kind.NeedsPlan == nil {
		return false
	}
	u := &Unchanged{Provider: provider}
	state, err := attributesOf(prior)
	if err != nil {
		return false
	}
	u.state = state
	for _, name := range r.writeOnly {
		if !isNull(state[name]) {
			return false
		}
	}
	if !bytes.Equal(prior, proposed) && !r.onlyWriteOnlyDiffer(state, proposed) {
		return false
	}
	if u.config, err = attributesOf(config); err != nil {
		return false
	}
	for name, value := range r.defaults {
		if isNull(u.config[name]) && !bytes.Equal(state[name], value) {
			return false
		}
	}
	needed := r.kind.NeedsPlan != nil && r.kind.NeedsPlan(u)
	return !needed && !u.undecodable
}

func (r *kindResource[M, T]) onlyWriteOnlyDiffer(state map[string][]byte, proposed []byte) bool {
	if len(r.writeOnly) == 0 {
		return false
	}
	attributes, err := attributesOf(proposed)
	if err != nil {
		return false
	}
	for name, value := range attributes {
		if !bytes.Equal(value, state[name]) && !slices.Contains(r.writeOnly, name) {
			return false
		}
	}
	return true
}

// ReturnedByAPI reports whether the service returns an attribute. Existing objects
// may have any value of such an attribute.
func (r *kindResource[M, T]) ReturnedByAPI(attribute string) bool {
	_, ok := r.kind.Schema.Attributes[attribute]
	return ok && !slices.Contains(r.kind.Reading.ResourceOnly, attribute)
}

// StateType returns the type of the resource's state.
func (r *kindResource[M, T]) StateType(ctx context.Context) tftypes.Type {
	return r.kind.Schema.Type().TerraformType(ctx)
}
