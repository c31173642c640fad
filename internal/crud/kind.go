// Package crud is what all objects share. An object is described once, as a
// Kind; its resource, data sources, list resource, identity and import follow
// from that description.
package crud

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// A Kind describes one kind of object to Terraform. M is the model of the
// resource, T the service's object.
//
// State always comes from the service's answer through Fill, whether it answers
// a create, a read, an update or a list; that is why an import plans no change.
type Kind[M, T any] struct {
	// Type is the resource type without the provider's prefix.
	Type string
	// Noun is the object's name in diagnostics.
	Noun string
	// Schema is the resource's schema.
	Schema schema.Schema
	// Keys are the attributes that identify an object, in the order in which an
	// import id has them. All are required for import.
	Keys []Key[M]
	// Unique is the attribute that no two objects of the kind can share, for errors;
	// optional.
	Unique string
	// Fill writes the service's object into a model that holds what is known of
	// the object so far: a plan, a prior state, or nothing.
	Fill func(*T, *M)
	// Generated leaves out of a generated configuration what the service would choose
	// anyway; optional. The schema's defaults are removed without it.
	Generated func(*M)
	// Operations are the requests.
	Operations Operations[M, T]
	// Reading describes the data sources and the list resource.
	Reading Reading[M, T]

	// Plan completes a plan; optional.
	Plan func(context.Context, *Planning[M])
	// Validate checks a configuration as a whole; optional. Values may be unknown.
	// What it says of an attribute that the service answers shows if a plan creates
	// the object or changes the attribute.
	Validate func(context.Context, *M, *diag.Diagnostics)
	// BeforeCreate sets what only the time of the creation decides; optional.
	BeforeCreate func(*Provider, *M)
	// Observe fills in what the provider itself finds out about an object, by its
	// clock for example, after each answer of the service; optional.
	Observe func(*Provider, *M)
	// Settle has the last word on the state after a create or an update; optional.
	// What the plan showed of a value that changes by itself, or that the service
	// sees differently, must stand.
	Settle func(plan, state *M)
}

// Define returns a kind whose description is complete. It panics otherwise, at
// start-up.
func Define[M, T any](k Kind[M, T]) Kind[M, T] {
	missing := ""
	switch o := k.Operations; {
	case k.Type == "" || k.Noun == "":
		missing = "Type or Noun"
	case len(k.Schema.Attributes) == 0 || len(k.Keys) == 0:
		missing = "Schema or Keys"
	case k.Fill == nil:
		missing = "Fill"
	case o.Create == nil || o.Read == nil || o.Update == nil || o.Delete == nil:
		missing = "an operation"
	case k.Reading.Description == "":
		missing = "Reading.Description"
	case o.Pages == nil || k.Reading.Plural == "" || k.Reading.Nouns == "":
		missing = "a list"
	}
	if missing != "" {
		panic(fmt.Sprintf("the description of %q lacks %s", k.Type, missing))
	}
	if k.Unique != "" {
		k.Operations.NaturalKey = true
	}
	return k
}

// A Key is an attribute that identifies an object.
type Key[M any] struct {
	// Name is the name of the attribute, in the schema and in the identity.
	Name string
	// Description describes it in the identity.
	Description string
	// Example is a value, shown in errors.
	Example string
	// Parent reports that the key names the parent that the object is in. A list
	// holds the objects in one parent, or in all.
	Parent bool
	// Of returns the attribute in a model.
	Of func(*M) *types.String
}

// Provider is the configuration of the provider block. Every object gets it.
type Provider struct {
	// Client is nil as long as the configuration is not known, or incomplete.
	Client *api.Client
	// Missing says what is missing if the configuration is incomplete, "" if it is
	// not known yet.
	Missing string
	// Now is the clock.
	Now func() time.Time
	// OperationTimeout limits each operation, waits included.
	OperationTimeout time.Duration
	// ExpiryWarning is how long before the end of a TLS certificate a plan warns
	// of it; 0 for never.
	ExpiryWarning time.Duration
}
