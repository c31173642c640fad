// Package crud is the skeleton that all objects share. An object is described
// once, as a Kind; its resource, and everything else that Terraform can do with
// it, follows from that description.
package crud

import (
	"context"
	"iter"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// A Kind describes one kind of object to Terraform. M is the model of the
// resource, D the part of it that the service answers, and T the service's
// object.
//
// State always comes from the service's answer through Fill, whether the answer
// is one to a create, a read, an update or a list; that is why an import plans
// no change.
type Kind[M, D, T any] struct {
	// Type is the resource's type without the provider's prefix.
	Type string
	// Noun is what diagnostics call the object.
	Noun string
	// Schema is the resource's schema. The timeouts are added to it.
	Schema schema.Schema
	// Keys are the attributes that identify an object, all of them required to
	// import one, in the order in which an import id has them.
	Keys []Key[M]
	// Data is the part of a model that the service answers.
	Data func(*M) *D
	// Timeouts is the part of a model that holds the timeouts.
	Timeouts func(*M) timeouts.Value
	// Fill writes the service's object into a model that holds what is known
	// of it so far: a plan, a prior state, or nothing.
	Fill func(*T, *D)
	// Operations are how the service is asked.
	Operations Operations[M, T]
	// Plan, where set, completes a plan.
	Plan func(context.Context, *Planning[M])
	// Validate, where set, checks a configuration as a whole. Values may be
	// unknown in it.
	Validate func(context.Context, *M, *diag.Diagnostics)
	// Observe, where set, fills in what the provider finds of an object itself,
	// by its clock for instance, after each answer of the service.
	Observe func(*Provider, *M)
	// Settle, where set, has the last word on the state after a create or an
	// update: what the plan showed of a value that changes by itself, or that the
	// service turned out to see otherwise, must still stand.
	Settle func(plan, state *M)
	// Reading is how the objects are read without being managed.
	Reading Reading[D, T]
}

// A Key is one of the attributes that identify an object.
type Key[M any] struct {
	// Name is that of the attribute, in the schema and in the identity.
	Name string
	// Description is for the identity.
	Description string
	// Example is a value, for an error to show.
	Example string
	// Parent tells that the key names what the object is in: a list is of the
	// objects in one of those.
	Parent bool
	// Of is the attribute in a model.
	Of func(*M) *types.String
}

// Operations are how a service is asked for one kind of object. Each gets what
// Terraform knows and returns the service's object.
type Operations[M, T any] struct {
	// Create makes the object. The configuration is there for what a plan does
	// not hold: write-only values.
	Create func(ctx context.Context, client *api.Client, plan, config *M) (*T, error)
	// Read returns the object that a state names.
	Read func(ctx context.Context, client *api.Client, state *M) (*T, error)
	// Update changes the object. It returns nil where nothing of the change is
	// the service's business.
	Update func(ctx context.Context, client *api.Client, plan, state *M) (*T, error)
	// Addressed tells that the keys of an object are known before it exists, so
	// that one which may have been created can be recorded.
	Addressed bool
	// Delete removes the object.
	Delete func(ctx context.Context, client *api.Client, state *M) error
	// Pages goes through all objects that are in what the model's keys name as
	// their parent; nil where the service has no list.
	Pages func(ctx context.Context, client *api.Client, scope *M) iter.Seq2[api.Page[T], error]
}

// Collection are the operations of an object with an address of its own. The id
// function returns the last element of that address.
func Collection[M, T, C, U any](
	objects func(*api.Client, *M) api.Collection[T, C, U],
	id func(*M) types.String,
	create func(plan, config *M) C,
	update func(plan, state *M) (body U, changed bool),
) Operations[M, T] {
	return Operations[M, T]{
		Create: func(ctx context.Context, client *api.Client, plan, config *M) (*T, error) {
			return objects(client, plan).Create(ctx, create(plan, config))
		},
		Read: func(ctx context.Context, client *api.Client, state *M) (*T, error) {
			return objects(client, state).Get(ctx, id(state).ValueString())
		},
		Update: func(ctx context.Context, client *api.Client, plan, state *M) (*T, error) {
			body, changed := update(plan, state)
			if !changed {
				return nil, nil
			}
			return objects(client, state).Update(ctx, id(state).ValueString(), body)
		},
		Delete: func(ctx context.Context, client *api.Client, state *M) error {
			return objects(client, state).Delete(ctx, id(state).ValueString())
		},
		Pages: func(ctx context.Context, client *api.Client, scope *M) iter.Seq2[api.Page[T], error] {
			return objects(client, scope).Pages(ctx)
		},
	}
}

// Provider is what the provider block comes to. Every object is configured with
// it.
type Provider struct {
	// Client is nil while the provider block is not known as a whole.
	Client *api.Client
	// Now is the clock.
	Now func() time.Time
	// ExpiryWarning is how long before the end of a TLS certificate a plan
	// warns of it; 0 for never.
	ExpiryWarning time.Duration
}
