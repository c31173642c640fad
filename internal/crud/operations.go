package crud

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// Operations are the requests for one kind of object. Each of them receives
// what Terraform knows of the object.
type Operations[M, T any] struct {
	// Create creates the object. The configuration contains the write-only
	// values, which a plan does not contain.
	Create func(ctx context.Context, client *api.Client, plan, config *M) (*T, error)
	// Read returns the object that a state names.
	Read func(ctx context.Context, client *api.Client, state *M) (*T, error)
	// Update updates the object. It returns nil if no request is needed.
	Update func(ctx context.Context, client *api.Client, plan, state *M) (*T, error)
	// Delete deletes the object. It returns no error if the object is already
	// gone.
	Delete func(ctx context.Context, client *api.Client, state *M) error
	// Pages iterates over all objects in the parent that the keys of scope
	// name, or in all parents if they name none.
	Pages func(ctx context.Context, client *api.Client, scope *M) iter.Seq2[Page[M, T], error]
	// Users returns the objects that refer to an object and prevent its
	// deletion, such as "failover backend bkdfo_2abc"; optional.
	Users func(ctx context.Context, client *api.Client, state *M) []string
}

// Collection returns the operations of a collection. id returns the last
// element of an object's path. update returns the whole desired state.
func Collection[M, T, C, U any](
	objects func(*api.Client, *M) *api.Collection[T, C, U],
	id func(*M) types.String,
	create func(plan, config *M) C,
	update func(plan *M) U,
) Operations[M, T] {
	return Operations[M, T]{
		Create: func(ctx context.Context, client *api.Client, plan, config *M) (*T, error) {
			return objects(client, plan).Create(ctx, create(plan, config))
		},
		Read: func(ctx context.Context, client *api.Client, state *M) (*T, error) {
			return objects(client, state).Get(ctx, id(state).ValueString())
		},
		Update: func(ctx context.Context, client *api.Client, plan, state *M) (*T, error) {
			body := update(plan)
			if sameJSON(body, update(state)) {
				return nil, nil
			}
			return objects(client, state).Update(ctx, id(state).ValueString(), body)
		},
		Delete: func(ctx context.Context, client *api.Client, state *M) error {
			return objects(client, state).Delete(ctx, id(state).ValueString())
		},
		Pages: func(ctx context.Context, client *api.Client, scope *M) iter.Seq2[Page[M, T], error] {
			return inside(objects(client, scope).Pages(ctx), func(object *T) []Item[M, T] {
				return []Item[M, T]{{*scope, object}}
			})
		},
	}
}

// Membership returns the operations of a collection whose ids the user chooses
// and whose objects cannot change.
func Membership[M, T, C, U any](
	objects func(*api.Client, *M) *api.Collection[T, C, U],
	id func(*M) types.String,
	create func(plan, config *M) C,
) Operations[M, T] {
	operations := Collection(objects, id, create, func(*M) (none U) { return none })
	return keepExisting(operations, id, func(ctx context.Context, client *api.Client, plan *M) (*T, error) {
		return objects(client, plan).Read(ctx, id(plan).ValueString())
	})
}

// Module returns the operations of a module of a parent. id returns the id of
// the parent. body returns the whole desired state.
func Module[M, T any](
	module func(*api.Client, *M) api.Module[T],
	id func(*M) types.String,
	body func(*M) T,
	pages func(context.Context, *api.Client, *M) iter.Seq2[Page[M, T], error],
) Operations[M, T] {
	read := func(ctx context.Context, client *api.Client, state *M) (*T, error) {
		return module(client, state).Get(ctx)
	}
	return keepExisting(Operations[M, T]{
		Pages: pages,
		Read:  read,
		Create: func(ctx context.Context, client *api.Client, plan, _ *M) (*T, error) {
			return module(client, plan).Put(ctx, body(plan))
		},
		Update: func(ctx context.Context, client *api.Client, plan, state *M) (*T, error) {
			desired := body(plan)
			if sameJSON(desired, body(state)) {
				return nil, nil
			}
			return module(client, plan).Put(ctx, desired)
		},
		Delete: func(ctx context.Context, client *api.Client, state *M) error {
			return module(client, state).Delete(ctx)
		},
	}, id, read)
}

// WithUsers returns operations with a function that finds the objects that
// refer to an object.
func WithUsers[M, T any](operations Operations[M, T], users func(context.Context, *api.Client, *M) []string) Operations[M, T] {
	operations.Users = users
	return operations
}

var errExists = errors.New("it already exists")

// keepExisting makes Create read the object first, and continue only if the
// service says that it does not exist. Otherwise the request would overwrite or
// adopt an object that somebody else created.
func keepExisting[M, T any](operations Operations[M, T], id func(*M) types.String, read func(context.Context, *api.Client, *M) (*T, error)) Operations[M, T] {
	create := operations.Create
	operations.Create = func(ctx context.Context, client *api.Client, plan, config *M) (*T, error) {
		if _, err := read(ctx, client, plan); err == nil {
			return nil, &api.ExistsError{ID: id(plan).ValueString(), Cause: errExists}
		} else if !api.IsNotFound(err) {
			return nil, err
		}
		return create(ctx, client, plan, config)
	}
	return operations
}

// sameJSON reports whether two request bodies have the same JSON encoding.
func sameJSON[T any](a, b T) bool {
	as, aErr := json.Marshal(a)
	bs, bErr := json.Marshal(b)
	return aErr == nil && bErr == nil && bytes.Equal(as, bs)
}
