package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
)

// maxSweeps is how often sweep tries, because an object in use cannot be deleted.
const maxSweeps = 4

// marks are the objects with a mark, and the lists that could not be read to their end.
type marks struct {
	paths   []string
	unknown []string // lists, with the reason
}

// sweep deletes all objects that have a mark in their description, metadata or name. It
// says that nothing is left only if it has read all lists to their ends.
func (v *verification) sweep(ctx context.Context, mark string) error {
	found := v.marked(ctx, mark)
	if len(found.paths) == 0 {
		return v.left(found, mark)
	}
	fmt.Fprintf(v.messages, "%d objects have the mark %s\n", len(found.paths), mark)
	deleted := map[string]bool{}
	for range maxSweeps {
		for _, path := range found.paths {
			v.delete(ctx, path)
			deleted[path] = true
		}
		if found = v.marked(ctx, mark); len(found.paths) == 0 || ctx.Err() != nil {
			break
		}
	}
	for _, path := range found.paths {
		delete(deleted, path)
	}
	fmt.Fprintf(v.messages, "deleted %d objects\n", len(deleted))
	return v.left(found, mark)
}

// left says what is left of the objects with a mark, as far as that is known.
func (v *verification) left(found *marks, mark string) error {
	var errs []error
	if len(found.paths) > 0 {
		errs = append(errs, fmt.Errorf("%d objects with the mark are left, although their DELETE was sent: %s",
			len(found.paths), strings.Join(found.paths, ", ")))
	}
	if len(found.unknown) > 0 {
		errs = append(errs, fmt.Errorf("could not find out whether objects are left: %s", strings.Join(found.unknown, "; ")))
	}
	if len(errs) == 0 {
		fmt.Fprintf(v.messages, "no object has the mark %s\n", mark)
	}
	return errors.Join(errs...)
}

// marked reads the lists of all kinds.
func (v *verification) marked(ctx context.Context, mark string) *marks {
	all := &marks{}
	for _, kind := range kinds.Roots() {
		err := v.client.listed(ctx, kind, func(value any) error {
			members, _ := value.(map[string]any)
			id, _ := members["id"].(string)
			switch text := fmt.Sprint(members["description"], members["metadata"], members["name"]); {
			case !strings.Contains(strings.ToLower(text), mark):
			case id == "" || strings.ContainsAny(id, "/?#%"):
				return fmt.Errorf("an object with the mark in %s has the id %s, which cannot be in a path", kind.Path, printable(id))
			default:
				all.paths = append(all.paths, kind.Path+"/"+id)
			}
			return nil
		})
		if refused, ok := errors.AsType[refusal](err); err != nil && (!ok || refused.status != http.StatusNotFound) { // it may lack a kind
			all.unknown = append(all.unknown, err.Error())
		}
	}
	slices.Reverse(all.paths) // what refers to others before them
	return all
}

// delete sends a DELETE. Only the lists show what it has done.
func (v *verification) delete(ctx context.Context, path string) {
	if response, err := v.client.send(ctx, http.MethodDelete, v.client.base.String()+path); err == nil {
		response.Body.Close()
	}
}
