package groupbackend

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[*model, *api.GroupBackend]{
	Description: "Reads a tunnel group backend. It balances traffic across all tunnels that have its labels.",
	Filters: crud.ObjectFilters[api.GroupBackend](
		crud.MapFilter("labels", "Returns backends that have all of these labels. Backends can have additional labels.",
			func(wanted map[string]string) (func(*api.GroupBackend) bool, error) { return withLabels(wanted), nil }),
		crud.MapFilter("label",
			"Returns backends that have this label, such as `{ app = \"web\" }`. Exactly one entry. For several labels, use `labels`.",
			func(wanted map[string]string) (func(*api.GroupBackend) bool, error) {
				if len(wanted) != 1 {
					return nil, fmt.Errorf("must be one label, such as { app = \"web\" }; found %d. Use labels for several", len(wanted))
				}
				return withLabels(wanted), nil
			})),
	Name: name,
}

// withLabels returns the condition that a backend has all wanted labels.
func withLabels(wanted map[string]string) func(*api.GroupBackend) bool {
	return func(o *api.GroupBackend) bool {
		for key, value := range wanted {
			if found, ok := o.Labels[key]; !ok || found != value {
				return false
			}
		}
		return true
	}
}

// name returns a display name such as "app=web, env=prod: All tunnels of the
// web servers".
func name(o *api.GroupBackend) string {
	var labels []string
	for _, key := range slices.Sorted(maps.Keys(o.Labels)) {
		labels = append(labels, key+"="+o.Labels[key])
	}
	return crud.DisplayName(crud.JoinLimited(labels, 3), o.Description)
}
