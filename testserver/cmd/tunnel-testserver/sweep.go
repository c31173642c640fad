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

// sweep deletes all objects that have a mark in their description, metadata or name.
func (v *verification) sweep(ctx context.Context, mark string, ask bool) error {
	paths, err := v.marked(ctx, mark)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		fmt.Fprintf(v.messages, "no object has the mark %s\n", mark)
		return nil
	}
	fmt.Fprintf(v.messages, "%d objects have the mark %s\n", len(paths), mark)
	if ask && !confirmed(ctx, v.messages) {
		return errors.New("nothing was changed: to delete without a question, use -yes")
	}
	found := len(paths)
	for range maxSweeps {
		paths = slices.DeleteFunc(paths, func(path string) bool { return v.delete(ctx, path) })
	}
	fmt.Fprintf(v.messages, "deleted %d objects\n", found-len(paths))
	if len(paths) > 0 {
		return fmt.Errorf("could not delete %s", strings.Join(paths, ", "))
	}
	return nil
}

// marked returns the paths of the objects with a mark.
func (v *verification) marked(ctx context.Context, mark string) ([]string, error) {
	var paths []string
	for _, kind := range kinds.Roots() {
		err := v.client.listed(ctx, kind, func(value any) error {
			members, _ := value.(map[string]any)
			text := strings.ToLower(fmt.Sprint(members["description"], members["metadata"], members["name"]))
			id, _ := members["id"].(string)
			if strings.Contains(text, mark) && id != "" && !strings.ContainsAny(id, "/?#%") {
				paths = append(paths, kind.Path+"/"+id)
			}
			return nil
		})
		if refused, ok := errors.AsType[refusal](err); ok && refused.status == http.StatusNotFound {
			continue // a list that the service does not have
		}
		if err != nil {
			return nil, err
		}
	}
	slices.Reverse(paths) // what refers to others before them
	return paths, nil
}

// delete reports whether an object is deleted.
func (v *verification) delete(ctx context.Context, path string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodDelete, v.client.base.String()+path, nil)
	if err != nil {
		return false
	}
	request.Header.Set("Authorization", "Bearer "+v.client.key)
	request.Header.Set("Service-Version", "2")
	response, err := v.transport.RoundTrip(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode < http.StatusMultipleChoices || response.StatusCode == http.StatusNotFound
}
