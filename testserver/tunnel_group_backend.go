package testserver

import (
	"maps"
	"slices"
	"strings"
)

// tunnelGroupBackend selects tunnels by labels, see "Tunnel group backend" in the API documentation.
type tunnelGroupBackend struct {
	common
	Labels  map[string]string `json:"labels"`
	Tunnels []tunnel          `json:"tunnels"` // always empty: no tunnel ever connects to this server
}

// tunnel is a reference to a tunnel.
type tunnel struct {
	ID  string `json:"id"`
	URI string `json:"uri"`
}

func (s *Server) tunnelGroupBackends() collection[*tunnelGroupBackend] {
	return collection[*tunnelGroupBackend]{
		path:  "/backends/tunnel_group",
		field: "backends",
		noun:  "tunnel group backend",
		table: s.data.tunnelGroupBackends,
		create: func(c *call, in *object) (*tunnelGroupBackend, error) {
			backend := &tunnelGroupBackend{common: newCommon(c, in, "bkdtg_"), Labels: labels(in), Tunnels: []tunnel{}}
			if backend.Labels == nil {
				in.refuse("labels", "labels is required")
			}
			return backend, in.end()
		},
		change: func(_ *call, old *tunnelGroupBackend, in *object) (*tunnelGroupBackend, error) {
			changed := *old
			changed.common = old.changed(in)
			if given := labels(in); given != nil {
				changed.Labels = given
			}
			return &changed, in.end()
		},
		view: func(_ *call, uri string, backend *tunnelGroupBackend) any {
			return struct {
				URI string `json:"uri"`
				*tunnelGroupBackend
			}{uri, backend}
		},
	}
}

// labels reads the labels of a request, of which there must be at least one; nil means that it has no such field.
func labels(in *object) map[string]string {
	fields := in.object("labels")
	if fields == nil {
		return nil
	}
	if len(fields.values) == 0 {
		in.refuse("labels", "labels must have at least one label")
	}
	found := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(fields.values)) {
		value, isString := fields.values[key].(string)
		switch {
		case !isString:
			fields.refuse(key, "the value of the label %s must be a string", printable(key))
		case strings.Contains(key, "=") || strings.Contains(value, "="):
			fields.refuse(key, "the label %s must not hold the character =", printable(key))
		}
		found[key] = value
	}
	return found
}
