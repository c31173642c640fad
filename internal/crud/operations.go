package crud

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// Operations are the requests for one kind of object. Each of them receives
// what Terraform knows of the object.
type Operations[M, T any] struct {
	Lists[M, T]

	// Exists reports whether an object with the keys of a plan exists, if the
	// user chooses the keys; nil if the service does. Create would overwrite or
	// adopt it.
	Exists func(ctx context.Context, client *api.Client, plan M) (bool, error)
	// Create creates the object. The configuration contains the write-only
	// values, which a plan does not contain.
	Create func(ctx context.Context, provider *Provider, plan, config M) (T, error)
	// Candidates returns the objects that a creation with an unknown outcome may
	// have created. The error says why some objects may be missing.
	Candidates func(ctx context.Context, client *api.Client, plan M) ([]T, error)
	// Read returns the object that a state names.
	Read func(ctx context.Context, client *api.Client, state M) (T, error)
	// Update updates the object. It returns nil if no request is needed.
	Update func(ctx context.Context, client *api.Client, plan, state M) (T, error)
	// Delete deletes the object. It returns no error if the object is already
	// gone.
	Delete func(ctx context.Context, client *api.Client, state M) (api.Deletion, error)
}

// Collection returns the operations of objects in the account or in the parents whose
// ids are in the model. update returns the whole desired state.
func Collection[M, T, C, U any, P objectModel[M]](
	objects *api.Objects[T],
	create func(provider *Provider, plan, config *M) C,
	update func(plan *M) U,
	parents ...func(*M) *types.String,
) Operations[*M, *T] {
	return collection(objects, parents, func(m *M) *types.String { return &P(m).common().ID }, create, update)
}

// CreateWith returns the create function of a kind whose requests to create and to
// update an object have the same body.
func CreateWith[M, B any](body func(plan *M) B) func(provider *Provider, plan, config *M) B {
	return func(_ *Provider, plan, _ *M) B { return body(plan) }
}

// collection returns the operations of a collection. id returns the last
// element of an object's path.
func collection[M, T, C, U any](
	of *api.Objects[T],
	parents []func(*M) *types.String,
	id func(*M) *types.String,
	create func(provider *Provider, plan, config *M) C,
	update func(plan *M) U,
) Operations[*M, *T] {
	objects := func(client *api.Client, m *M) *api.Collection[T] { return of.Of(client, texts(m, parents)...) }
	return Operations[*M, *T]{
		Lists: Lists[*M, *T]{
			Cached: func(ctx context.Context, client *api.Client, state *M) (*T, bool) {
				return objects(client, state).Cached(ctx, id(state).ValueString())
			},
			List: func(ctx context.Context, client *api.Client, scope *M) iter.Seq2[Item[*M, *T], error] {
				return Within(objects(client, scope).List(ctx), func(object *T) ([]Item[*M, *T], error) {
					model := *scope
					return []Item[*M, *T]{{&model, object}}, nil
				})
			},
		},
		Create: func(ctx context.Context, provider *Provider, plan, config *M) (*T, error) {
			return objects(provider.Client, plan).Create(ctx, create(provider, plan, config))
		},
		Candidates: func(ctx context.Context, client *api.Client, plan *M) ([]*T, error) {
			return objects(client, plan).Candidates(ctx)
		},
		Read: func(ctx context.Context, client *api.Client, state *M) (*T, error) {
			return objects(client, state).Read(ctx, id(state).ValueString(), createdAt(state))
		},
		Update: func(ctx context.Context, client *api.Client, plan, state *M) (*T, error) {
			body := update(plan)
			if sameBody(body, update(state)) {
				return nil, nil
			}
			return objects(client, state).Update(ctx, id(state).ValueString(), body)
		},
		Delete: func(ctx context.Context, client *api.Client, state *M) (api.Deletion, error) {
			return objects(client, state).Delete(ctx, id(state).ValueString(), createdAt(state))
		},
	}
}

// Membership returns the operations of objects in a parent whose ids the user chooses
// and which cannot change.
func Membership[M, T, C any](
	objects *api.Objects[T],
	create func(provider *Provider, plan, config *M) C,
	parent, id func(*M) *types.String,
) Operations[*M, *T] {
	parents := []func(*M) *types.String{parent}
	operations := collection(objects, parents, id, create, func(*M) (none struct{}) { return none })
	operations.Exists = func(ctx context.Context, client *api.Client, plan *M) (bool, error) {
		return objects.Of(client, texts(plan, parents)...).Lists(ctx, id(plan).ValueString())
	}
	return operations
}

// Module returns the operations of a module of a parent. body returns the whole desired
// state. For the other arguments, see InParents.
func Module[M, T, P any](
	modules *api.Modules[T],
	body func(*M) T,
	parents *api.Objects[P],
	items func(*P) []Item[*M, *T],
	keys ...func(*M) *types.String,
) Operations[*M, *T] {
	module := func(client *api.Client, m *M) api.Module[T] { return modules.Of(client, texts(m, keys)...) }
	look := func(ctx context.Context, client *api.Client, keys *M) (*T, error) {
		return module(client, keys).Look(ctx)
	}
	return Operations[*M, *T]{
		Lists: InParents(parents, items, look, keys...),
		Exists: func(ctx context.Context, client *api.Client, plan *M) (bool, error) {
			return module(client, plan).IsSet(ctx)
		},
		Create: func(ctx context.Context, provider *Provider, plan, _ *M) (*T, error) {
			return module(provider.Client, plan).Put(ctx, body(plan))
		},
		Candidates: func(ctx context.Context, client *api.Client, plan *M) ([]*T, error) {
			object, err := module(client, plan).Find(ctx)
			switch {
			case api.IsGone(err):
				return nil, nil
			case err != nil:
				return nil, err
			}
			return []*T{object}, nil
		},
		Read: func(ctx context.Context, client *api.Client, state *M) (*T, error) {
			imports := sameBody(body(state), body(new(M))) // then the state has nothing but the keys
			return module(client, state).Get(ctx, !imports)
		},
		Update: func(ctx context.Context, client *api.Client, plan, state *M) (*T, error) {
			desired := body(plan)
			if sameBody(desired, body(state)) {
				return nil, nil
			}
			return module(client, plan).Put(ctx, desired)
		},
		Delete: func(ctx context.Context, client *api.Client, state *M) (api.Deletion, error) {
			return module(client, state).Delete(ctx)
		},
	}
}

// texts returns the values of attributes of a model.
func texts[M any](model *M, attributes []func(*M) *types.String) []string {
	values := make([]string, len(attributes))
	for i, attribute := range attributes {
		values[i] = attribute(model).ValueString()
	}
	return values
}

// sameBody reports whether two request bodies have the same JSON encoding.
func sameBody[T any](a, b T) bool {
	as, aErr := json.Marshal(a)
	bs, bErr := json.Marshal(b)
	return aErr == nil && bErr == nil && bytes.Equal(as, bs)
}
