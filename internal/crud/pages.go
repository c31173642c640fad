package crud

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// Page is one page of a list.
type Page[M, T any] struct {
	// Items are the objects, in the service's order.
	Items []Item[M, T]
	// Last reports whether this is the last page.
	Last bool
}

// Item is one object of a list.
type Item[M, T any] struct {
	// Keys is a model with the keys that the object itself does not have.
	Keys M
	// Object is the object as the service returns it. It must not be changed. It is
	// nil if the parent does not show whether the object exists.
	Object *T
}

// PartItems returns the item of a module in its parent, if there may be one.
func PartItems[M, T any](keys M, part api.Part[T]) []Item[M, T] {
	if part.Shown && part.Object == nil {
		return nil
	}
	return []Item[M, T]{{keys, part.Object}}
}

// Lists reads objects from list pages.
type Lists[M, T any] struct {
	// Cached returns the object that a state names from a list page, which can
	// only show that it did not change; false if it is on no page.
	Cached func(ctx context.Context, client *api.Client, state *M) (*T, bool)
	// Pages iterates over all objects in the parent that the keys of scope
	// name, or in all parents if they name none.
	Pages func(ctx context.Context, client *api.Client, scope *M) iter.Seq2[Page[M, T], error]
}

// InParents returns the lists of objects that the service returns inside their
// parents. items returns the objects in a parent. look reads an object that its
// parent does not show, and returns nil if it does not exist. keys return the keys of
// an object in a model, beginning with the id of the parent.
func InParents[M, T, P any](
	parents *api.Objects[P],
	items func(*P) []Item[M, T],
	look func(ctx context.Context, client *api.Client, keys *M) (*T, error),
	keys ...func(*M) *types.String,
) Lists[M, T] {
	cached := func(ctx context.Context, client *api.Client, state *M) (*T, bool) {
		parent, ok := parents.Of(client).Cached(ctx, keys[0](state).ValueString())
		if !ok {
			return nil, false
		}
		for _, item := range items(parent) {
			if !slices.ContainsFunc(keys, func(key func(*M) *types.String) bool { return !key(&item.Keys).Equal(*key(state)) }) {
				return item.Object, item.Object != nil
			}
		}
		return nil, false
	}
	pages := func(ctx context.Context, client *api.Client, scope *M) iter.Seq2[Page[M, T], error] {
		shown := mapPages(parents.Of(client).Pages(ctx), items)
		if id := *keys[0](scope); attribute.IsKnown(id) {
			shown = func(yield func(Page[M, T], error) bool) {
				parent, err := parents.Of(client).Read(ctx, id.ValueString(), time.Time{})
				// not from a list page, because the parent may have just changed
				if err != nil {
					yield(Page[M, T]{}, err)
					return
				}
				yield(Page[M, T]{items(parent), true}, nil)
			}
		}
		return func(yield func(Page[M, T], error) bool) {
			for page, err := range shown {
				if err == nil {
					page.Items, err = lookedUp(ctx, client, page.Items, look)
				}
				if !yield(page, err) || err != nil {
					return
				}
			}
		}
	}
	return Lists[M, T]{cached, pages}
}

// lookedUp returns the items that exist, with their objects.
func lookedUp[M, T any](
	ctx context.Context, client *api.Client, items []Item[M, T],
	look func(ctx context.Context, client *api.Client, keys *M) (*T, error),
) (existing []Item[M, T], err error) {
	for _, item := range items {
		if item.Object == nil {
			if item.Object, err = look(ctx, client, &item.Keys); err != nil {
				return nil, err
			}
		}
		if item.Object != nil {
			existing = append(existing, item)
		}
	}
	return existing, nil
}

// mapPages converts pages of objects to pages of the items that each object
// contains.
func mapPages[M, T, P any](pages iter.Seq2[api.Page[P], error], items func(*P) []Item[M, T]) iter.Seq2[Page[M, T], error] {
	return func(yield func(Page[M, T], error) bool) {
		for page, err := range pages {
			if err != nil {
				yield(Page[M, T]{}, err)
				return
			}
			found := Page[M, T]{Last: page.Last}
			for i := range page.Items {
				found.Items = append(found.Items, items(&page.Items[i])...)
			}
			if !yield(found, nil) {
				return
			}
		}
	}
}
