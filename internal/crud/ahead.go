package crud

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// An answer is what the service said to a read before the framework was asked
// for it.
type answer[T any] struct {
	object *T
	err    error
}

type answerKey struct{}

// answered takes the answer out of a context; it is false where there is none.
// Nothing of it stays, since the framework keeps the context of each RPC.
func answered[T any](ctx context.Context) (answer[T], bool) {
	given, ok := ctx.Value(answerKey{}).(*answer[T])
	if !ok {
		return answer[T]{}, false
	}
	taken := *given
	*given = answer[T]{}
	return taken, true
}

// ReadAhead reads the object of a state in front of the framework, which would
// take four times as long. It returns the object's identity where the service
// answers what the state says. Otherwise the read is the framework's, in the
// context returned, in which it finds the service's answer, if that was asked.
//
// The private part of the state is as the framework encodes it: JSON with base64.
func (r *managed[M, D, T]) ReadAhead(ctx context.Context, provider *Provider, state tftypes.Value, private []byte) (identity tftypes.Value, same bool, rest context.Context) {
	created, ours := createdIn(private)
	if !ours || r.holdsWriteOnly(state) {
		return identity, false, ctx
	}
	var known, found M
	if (&tfsdk.State{Raw: state, Schema: r.schema}).Get(ctx, &known).HasError() {
		return identity, false, ctx
	}
	limit, diags := r.kind.Timeouts(&known).Read(ctx, defaultTimeout)
	if diags.HasError() {
		return identity, false, ctx
	}
	reader := *r
	reader.provider = provider
	object, err := reader.ask(ctx, provider.Client, &known, limit, created)
	rest = context.WithValue(ctx, answerKey{}, &answer[T]{object, err})
	if err != nil {
		return identity, false, rest
	}
	found = known
	reader.fill(object, &found)
	if !reflect.DeepEqual(known, found) {
		return identity, false, rest
	}
	keys := map[string]tftypes.Value{}
	types := map[string]tftypes.Type{}
	for _, key := range r.kind.Keys {
		keys[key.Name] = tftypes.NewValue(tftypes.String, key.Of(&known).ValueString())
		types[key.Name] = tftypes.String
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, keys), true, rest
}

// holdsWriteOnly tells whether a state has a value of a write-only attribute,
// which the framework removes.
func (r *managed[M, D, T]) holdsWriteOnly(state tftypes.Value) bool {
	if len(r.writeOnly) == 0 {
		return false
	}
	var attributes map[string]tftypes.Value
	if err := state.As(&attributes); err != nil {
		return true
	}
	return slices.ContainsFunc(r.writeOnly, func(name string) bool { return !attributes[name].IsNull() })
}

// createdIn finds in the private part of a state when the object was created. It
// is false where that part is anything but what the framework would write of it.
func createdIn(private []byte) (created []byte, ours bool) {
	if len(private) == 0 {
		return nil, true
	}
	var parts map[string][]byte
	if json.Unmarshal(private, &parts) != nil {
		return nil, false
	}
	created = parts[createdKey]
	again, err := json.Marshal(map[string][]byte{createdKey: created})
	return created, err == nil && bytes.Equal(again, private) && utf8.Valid(created) && json.Valid(created)
}
