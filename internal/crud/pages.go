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

// Item is one object of a list.
type Item[M, T any] struct {
	// Model has the keys that the object itself does not have.
	Model M
	// Object is the object as the service returns it. It must not be changed. It is
	// nil if the parent does not show whether the object exists.
	Object T
}

// PartItems returns the item of a module in its parent, if there may be one.
func PartItems[M, T any](keys M, part api.Part[T]) []Item[M, *T] {
	if part.Shown && part.Object == nil {
		return nil
	}
	return []Item[M, *T]{{keys, part.Object}}
}

// Lists reads objects from list pages.
type Lists[M, T any] struct {
	// Cached returns the object that a state names from a list page, which can
	// only show that it did not change; false if it is on no page.
	Cached func(ctx context.Context, client *api.Client, state M) (T, bool)
	// List iterates over all objects in the parent that the keys of scope name, or
	// in all parents if they name none. An error ends it.
	List func(ctx context.Context, client *api.Client, scope M) iter.Seq2[Item[M, T], error]
}

// InParents returns the lists of objects that the service returns inside their
// parents. items returns the objects in a parent. look reads an object that its
// parent does not show, and returns nil if it does not exist. keys return the keys of
// an object in a model, beginning with the id of the parent.
func InParents[M, T, P any](
	parents *api.Objects[P],
	items func(*P) []Item[*M, *T],
	look func(ctx context.Context, client *api.Client, keys *M) (*T, error),
	keys ...func(*M) *types.String,
) Lists[*M, *T] {
	cached := func(ctx context.Context, client *api.Client, state *M) (*T, bool) {
		parent, ok := parents.Of(client).Cached(ctx, keys[0](state).ValueString())
		if !ok {
			return nil, false
		}
		for _, item := range items(parent) {
			if !slices.ContainsFunc(keys, func(key func(*M) *types.String) bool { return !key(item.Model).Equal(*key(state)) }) {
				return item.Object, item.Object != nil
			}
		}
		return nil, false
	}
	list := func(ctx context.Context, client *api.Client, scope *M) iter.Seq2[Item[*M, *T], error] {
		all := parents.Of(client).List(ctx)
		if id := *keys[0](scope); attribute.IsKnown(id) {
			all = func(yield func(*P, error) bool) {
				yield(parents.Of(client).Read(ctx, id.ValueString(), time.Time{})) // no list: the parent may have just changed
			}
		}
		return Within(all, func(parent *P) ([]Item[*M, *T], error) {
			found := items(parent)
			for i := range found {
				if found[i].Object == nil {
					var err error
					if found[i].Object, err = look(ctx, client, found[i].Model); err != nil {
						return nil, err
					}
				}
			}
			return slices.DeleteFunc(found, func(item Item[*M, *T]) bool { return item.Object == nil }), nil
		})
	}
	return Lists[*M, *T]{cached, list}
}

// Within iterates over the items in each parent of a list.
func Within[M, T, P any](parents iter.Seq2[*P, error], items func(*P) ([]Item[M, T], error)) iter.Seq2[Item[M, T], error] {
	return func(yield func(Item[M, T], error) bool) {
		for parent, err := range parents {
			var found []Item[M, T]
			if err == nil {
				found, err = items(parent)
			}
			if err != nil {
				yield(Item[M, T]{}, err)
				return
			}
			for _, item := range found {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}
