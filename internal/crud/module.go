package crud

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// errExists says that what was to be created is there already, made by somebody
// else. To go on would overwrite it, or take it over.
var errExists = errors.New("exists already")

// Module are the operations of a part of a parent object. A creation does not
// replace a module that is set already.
func Module[M, T any](module func(*api.Client, *M) api.Module[T], body func(*M) T) Operations[M, T] {
	read := func(ctx context.Context, client *api.Client, state *M) (*T, error) {
		return module(client, state).Get(ctx)
	}
	return lookFirst(read, Operations[M, T]{
		Read: read,
		Create: func(ctx context.Context, client *api.Client, plan, _ *M) (*T, error) {
			return module(client, plan).Put(ctx, body(plan))
		},
		Update: func(ctx context.Context, client *api.Client, plan, state *M) (*T, error) {
			now := body(plan)
			if sameJSON(now, body(state)) {
				return nil, nil
			}
			return module(client, plan).Put(ctx, now)
		},
		Delete: func(ctx context.Context, client *api.Client, state *M) error {
			return module(client, state).Delete(ctx)
		},
	})
}

// Membership are the operations of an object whose id the user chooses, and of
// which nothing can change. A creation does not take over one that is there
// already.
func Membership[M, T, C, U any](
	objects func(*api.Client, *M) api.Collection[T, C, U],
	id func(*M) types.String,
	create func(plan, config *M) C,
) Operations[M, T] {
	operations := Collection(objects, id, create, func(_, _ *M) (body U, changed bool) { return body, false })
	post := operations.Create
	operations.Create = func(ctx context.Context, client *api.Client, plan, config *M) (*T, error) {
		object, err := post(ctx, client, plan, config)
		if answer, ok := errors.AsType[*api.Error](err); ok && answer.Status == http.StatusConflict && answer.FromService {
			return nil, errExists // made since the look
		}
		return object, err
	}
	look := func(ctx context.Context, client *api.Client, plan *M) (*T, error) {
		return objects(client, plan).Look(ctx, id(plan).ValueString())
	}
	return lookFirst(look, operations)
}

// lookFirst makes a creation look at the address first, and go on only where the
// service says that nothing is there.
func lookFirst[M, T any](look func(context.Context, *api.Client, *M) (*T, error), operations Operations[M, T]) Operations[M, T] {
	create := operations.Create
	operations.Create = func(ctx context.Context, client *api.Client, plan, config *M) (*T, error) {
		_, err := look(ctx, client, plan)
		if err == nil {
			return nil, errExists
		}
		if !api.IsGone(err) {
			return nil, err
		}
		return create(ctx, client, plan, config)
	}
	return operations
}

// sameJSON tells whether two bodies are the same to the service.
func sameJSON[T any](a, b T) bool {
	as, aErr := json.Marshal(a)
	bs, bErr := json.Marshal(b)
	return aErr == nil && bErr == nil && bytes.Equal(as, bs)
}
