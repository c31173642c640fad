package groupbackend

import (
	"maps"
	"slices"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[model, api.GroupBackend]{
	Description: "Reads a tunnel group backend. It balances traffic across all tunnels that have its labels.",
	Descriptions: map[string]string{
		"labels":  "Labels that a tunnel must have to receive traffic.",
		"tunnels": "Tunnels that currently match the labels. Changes when tunnels start and stop.",
	},
	Filters: crud.ObjectFilters[api.GroupBackend](
		crud.Filter[api.GroupBackend]{
			Name:        "labels",
			Description: "Returns backends that have all of these labels. Backends can have additional labels.",
			Map: func(wanted map[string]string) func(*api.GroupBackend) bool {
				return func(o *api.GroupBackend) bool { return has(o.Labels, wanted) }
			},
		}),
	Name: name,
}

// has reports whether labels contains all wanted labels.
func has(labels, wanted map[string]string) bool {
	for key, value := range wanted {
		if found, ok := labels[key]; !ok || found != value {
			return false
		}
	}
	return true
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
