package crud

import (
	"context"
	"iter"
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
	// Object is the object as the service returns it. It must not be changed.
	Object *T
}

// InParents returns the Pages function for objects that the service returns
// inside their parents. It covers the one parent that the scope names, or all
// parents. key returns the id of the parent in a model; items returns the
// objects in a parent.
func InParents[M, T, P any](
	parents func(*api.Client) *api.Collection[P],
	key func(*M) *types.String,
	items func(*P) []Item[M, T],
) func(context.Context, *api.Client, *M) iter.Seq2[Page[M, T], error] {
	return func(ctx context.Context, client *api.Client, scope *M) iter.Seq2[Page[M, T], error] {
		if id := *key(scope); attribute.IsKnown(id) {
			return func(yield func(Page[M, T], error) bool) {
				parent, err := parents(client).Read(ctx, id.ValueString(), time.Time{}) // not from a list page, because the parent may have just changed
				if err != nil {
					yield(Page[M, T]{}, err)
					return
				}
				yield(Page[M, T]{items(parent), true}, nil)
			}
		}
		return mapPages(parents(client).Pages(ctx), items)
	}
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

// parentDescription returns the description of a parent's key in a list.
func (k Kind[M, T]) parentDescription(key Key[M]) string {
	return key.Description + " If unset, returns the " + k.Reading.Nouns + " of the whole account."
}
