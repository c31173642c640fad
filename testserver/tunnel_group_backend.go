package testserver

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// tunnelGroupBackend selects tunnels by labels. See "Tunnel group backend" in
// the API documentation.
type tunnelGroupBackend struct {
	common
	Labels  map[string]string `json:"labels"`
	Tunnels []reference       `json:"tunnels"` // empty unless a forced request sets it, because no tunnel connects to this server
}

const tunnelGroupBackendTable tableOf[*tunnelGroupBackend] = "tunnel_group_backends"

func (s *service) tunnelGroupBackends() collection[*tunnelGroupBackend] {
	return collection[*tunnelGroupBackend]{
		path:   "/backends/tunnel_group",
		prefix: "bkdtg_",
		field:  "backends",
		noun:   "tunnel group backend",
		table:  tunnelGroupBackendTable.in(s.store),
		create: func(c *call, in *object) (*tunnelGroupBackend, error) {
			backend := &tunnelGroupBackend{common: newCommon(c, in), Labels: map[string]string{}, Tunnels: []reference{}}
			backend.read(in)
			return backend, nil
		},
		update: func(_ *call, old *tunnelGroupBackend, in *object) *tunnelGroupBackend {
			backend := copyOf(old)
			backend.common = old.updated(in)
			backend.read(in)
			return backend
		},
		view: func(c *call, uri string, backend *tunnelGroupBackend) any {
			labels := backend.Labels
			if c.quirk != nil && c.request.Method == http.MethodPatch && c.sent["labels"] == nil {
				labels = nil
			}
			return struct {
				URI string `json:"uri"`
				*tunnelGroupBackend
				Labels map[string]string `json:"labels"` // null in the response to an update without labels under quirks
			}{uri, backend, labels}
		},
	}
}

// read sets the fields that a request contains. Empty labels are treated as
// absent.
func (b *tunnelGroupBackend) read(in *object) {
	if given := labels(in); len(given) > 0 {
		b.Labels = given
	}
	if !in.isForced() {
		return
	}
	if given := in.objects("tunnels"); given != nil {
		b.Tunnels = []reference{}
		for _, tunnel := range given {
			b.Tunnels = append(b.Tunnels, reference{tunnel.need("id"), tunnel.need("uri")})
			tunnel.refuseUnknown()
		}
	}
}

// labels reads the labels of a request. It returns nil if they are absent.
func labels(in *object) map[string]string {
	given := in.pairs("labels")
	for _, key := range slices.Sorted(maps.Keys(given)) {
		in.rule(key != "", "labels", "a label must not have an empty key")
		in.rule(!strings.Contains(key+given[key], "="), "labels."+key, "the label %s must not contain =", printable(key))
	}
	return given
}
