package crud

// This file keeps a promise: the code of this package is compiled once, and not again in
// the package of each kind.

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// A Definition is a kind of object without the types of its models and objects, which
// are any: always the pointers that the Kind of Define names, or nil.
type Definition struct {
	untyped

	model  reflect.Type // that the pointers to models point to
	object attr.Type    // of Schema, which makes it anew each time
	state  tftypes.Type // of object
}

type (
	untyped = Kind[any, any]
	item    = Item[any, any]
)

// Define returns the definition of a kind. It panics at start-up if the description
// is incomplete.
func Define[M, T any](k Kind[M, T]) *Definition {
	missing := ""
	switch o := k.Operations; {
	case k.Kind == nil:
		missing = "Kind"
	case k.Subcategory == "":
		missing = "Subcategory"
	case len(k.Schema.Attributes) == 0 || len(k.Keys) == 0:
		missing = "Schema or Keys"
	case k.Fill == nil:
		missing = "Fill"
	case o.Create == nil || o.Read == nil || o.Update == nil || o.Delete == nil:
		missing = "an operation"
	case k.Reading.Description == "":
		missing = "Reading.Description"
	case o.List == nil:
		missing = "a list"
	case slices.ContainsFunc(k.References, func(r Reference[M]) bool { return len(r.To) == 0 || r.Of == nil }):
		missing = "a whole reference"
	}
	if missing != "" {
		panic(fmt.Sprintf("the description of %v lacks %s", k.Kind, missing))
	}
	return define(untypedOf(k), reflect.TypeFor[M]().Elem())
}

func define(k untyped, model reflect.Type) *Definition {
	for _, r := range k.References {
		if _, ok := k.Schema.Attributes[r.Attribute]; !ok {
			panic(fmt.Sprintf("the description of %v lacks the attribute %s", k.Kind, r.Attribute))
		}
	}
	for name, of := range k.Schema.Attributes {
		k.Schema.Attributes[name] = attribute.EmptyByDefault(of)
	}
	for i, key := range k.Keys {
		if key.Kind != nil {
			k.Keys[i].Example = key.Kind.Example()
			k.Keys[i].Description = "ID of the " + key.Kind.Noun + ", such as `" + key.Kind.Example() + "`."
		}
	}
	object := k.Schema.Type()
	return &Definition{untyped: k, model: model, object: object, state: object.TerraformType(context.Background())}
}

// newModel returns a model without values.
func (k *Definition) newModel() any { return reflect.New(k.model).Interface() }

// copyOf returns a copy of a model.
func (k *Definition) copyOf(model any) any {
	made := reflect.New(k.model)
	made.Elem().Set(reflect.ValueOf(model).Elem())
	return made.Interface()
}

// untypedOf returns a kind whose functions take and return any.
func untypedOf[M, T any](k Kind[M, T]) untyped {
	u := untyped{
		Kind: k.Kind, Subcategory: k.Subcategory, Schema: k.Schema, OtherTypes: k.OtherTypes, NaturalKey: k.NaturalKey,
		ShownOnce: k.ShownOnce, InUse: k.InUse, NeedsPlan: k.NeedsPlan,
		Fill:       func(p *Provider, object, model any) { k.Fill(p, as[T](object), as[M](model)) },
		Operations: untypedOperations(k.Operations), Reading: untypedReading(k.Reading),
	}
	for _, key := range k.Keys {
		u.Keys = append(u.Keys, Key[any]{
			Name: key.Name, Kind: key.Kind, Description: key.Description, Example: key.Example, Parent: key.Parent,
			Of: func(model any) *types.String { return key.Of(as[M](model)) },
		})
	}
	for _, r := range k.References {
		u.References = append(u.References, Reference[any]{
			Attribute: r.Attribute, Field: r.Field, To: r.To, Value: r.Value, Hint: r.Hint,
			Of: func(model any) []string { return r.Of(as[M](model)) },
		})
	}
	if k.NamedBy != nil {
		u.NamedBy = func(model any, value string) bool { return k.NamedBy(as[M](model), value) }
	}
	if k.Generated != nil {
		u.Generated = func(model any) { k.Generated(as[M](model)) }
	}
	if k.WriteOnly != nil {
		u.WriteOnly = func(sent, config, state any) { k.WriteOnly(as[M](sent), as[M](config), as[M](state)) }
	}
	if k.Stored != nil {
		u.Stored = func(stored, config any, diags *diag.Diagnostics) { k.Stored(as[M](stored), as[M](config), diags) }
	}
	if k.Validate != nil {
		u.Validate = func(ctx context.Context, config any, diags *diag.Diagnostics) { k.Validate(ctx, as[M](config), diags) }
	}
	if k.Plan != nil {
		u.Plan = func(ctx context.Context, p *Planning[any]) {
			typed := &Planning[M]{
				Config: as[M](p.Config), State: as[M](p.State), Plan: as[M](p.Plan), Changes: p.Changes,
				Provider: p.Provider, Diagnostics: p.Diagnostics,
			}
			k.Plan(ctx, typed)
			p.Replace = typed.Replace
		}
	}
	return u
}

func untypedOperations[M, T any](o Operations[M, T]) (u Operations[any, any]) {
	u.Cached = func(ctx context.Context, client *api.Client, state any) (any, bool) {
		return o.Cached(ctx, client, as[M](state))
	}
	u.List = func(ctx context.Context, client *api.Client, scope any) iter.Seq2[item, error] {
		return func(yield func(item, error) bool) {
			for found, err := range o.List(ctx, client, as[M](scope)) {
				if !yield(item{found.Model, found.Object}, err) {
					return
				}
			}
		}
	}
	if o.Exists != nil {
		u.Exists = func(ctx context.Context, client *api.Client, plan any) (bool, error) {
			return o.Exists(ctx, client, as[M](plan))
		}
	}
	u.Create = func(ctx context.Context, provider *Provider, plan, config any) (any, error) {
		object, err := o.Create(ctx, provider, as[M](plan), as[M](config))
		return orNil(object), err
	}
	u.Candidates = func(ctx context.Context, client *api.Client, plan any) (all []any, err error) {
		objects, err := o.Candidates(ctx, client, as[M](plan))
		for _, object := range objects {
			all = append(all, object)
		}
		return all, err
	}
	u.Read = func(ctx context.Context, client *api.Client, state any) (any, error) {
		object, err := o.Read(ctx, client, as[M](state))
		return orNil(object), err
	}
	u.Update = func(ctx context.Context, client *api.Client, plan, state any) (any, error) {
		object, err := o.Update(ctx, client, as[M](plan), as[M](state))
		return orNil(object), err
	}
	u.Delete = func(ctx context.Context, client *api.Client, state any) (api.Deletion, error) {
		return o.Delete(ctx, client, as[M](state))
	}
	return u
}

func untypedReading[M, T any](r Reading[M, T]) Reading[any, any] {
	u := Reading[any, any]{Description: r.Description, ResourceOnly: r.ResourceOnly, Descriptions: r.Descriptions, Filters: r.Filters}
	for _, d := range r.Derived {
		of := func(object any, now time.Time) attr.Value { return d.Of(as[M](object), now) }
		u.Derived = append(u.Derived, Derived[any]{d.Name, d.Schema, of})
	}
	if r.Name != nil {
		u.Name = func(object any) string { return r.Name(as[T](object)) }
	}
	if l := r.Lookup; l != nil {
		u.Lookup = &Lookup[any]{l.Name, l.Description, l.Check, func(text string, now time.Time, objects iter.Seq[any]) (any, error) {
			object, err := l.Find(text, now, func(yield func(T) bool) {
				objects(func(object any) bool { return yield(as[T](object)) })
			})
			return orNil(object), err
		}}
	}
	return u
}

// as returns a pointer with its type, nil for none. It panics if the type is another one.
func as[P any](pointer any) (typed P) {
	if pointer == nil {
		return typed
	}
	return pointer.(P) //nolint:forcetypeassert // a defect of this package
}

// orNil returns a pointer without its type, and nil for a nil one.
func orNil[P any](pointer P) any {
	if reflect.ValueOf(pointer).IsNil() {
		return nil
	}
	return pointer
}
