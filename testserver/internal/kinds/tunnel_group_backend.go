package kinds

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// tunnelGroupBackend selects tunnels by labels. See "Tunnel group backend" in
// the API documentation.
type tunnelGroupBackend struct {
	common
	Labels map[string]string `json:"labels"`
	// Tunnels is empty unless a forced request sets it. Responses show the open tunnels
	// too. The contract does not say what an entry is.
	Tunnels []any `json:"tunnels"`
}

const tunnelGroupBackendTable store.TableOf[*tunnelGroupBackend] = "tunnel_group_backends"

func (b *tunnelGroupBackend) Label() string {
	return cmp.Or(labelText(b.Labels), b.common.Label())
}

func labelText(labels map[string]string) string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		pairs = append(pairs, key+"="+labels[key])
	}
	return strings.Join(pairs, ", ")
}

func tunnelGroupBackends(s *Service) engine.Collection[*tunnelGroupBackend] {
	return engine.Collection[*tunnelGroupBackend]{
		Path:   "/backends/tunnel_group",
		Prefix: "bkdtg_",
		Field:  "backends",
		Noun:   "tunnel group backend",
		Table:  tunnelGroupBackendTable.In(s.store),
		Create: func(c *engine.Call, in *body.Object) (*tunnelGroupBackend, error) {
			backend := &tunnelGroupBackend{common: newCommon(c, in), Labels: map[string]string{}, Tunnels: []any{}}
			backend.read(in)
			return backend, nil
		},
		Update: updated[tunnelGroupBackend],
		Refers: []string{tunnels(s).Path},
		Uses:   func(b *tunnelGroupBackend) []string { return s.tunnelsOf(b, store.Present) },
		View: func(c *engine.Call, uri string, b *tunnelGroupBackend) any {
			shown := copyOf(b)
			shown.URI, shown.Tunnels = uri, slices.Clone(b.Tunnels)
			for _, id := range s.tunnelsOf(b, c.AsOf) {
				shown.Tunnels = append(shown.Tunnels, reference{id, c.Base() + "/tunnels/" + id})
			}
			return shown
		},
	}
}

// read sets the fields that a request contains. Empty labels are treated as
// absent.
func (b *tunnelGroupBackend) read(in *body.Object) {
	if given := labels(in); len(given) > 0 {
		b.Labels = given
	}
	if !in.Forced() {
		return
	}
	if given := in.List("tunnels"); given != nil {
		b.Tunnels = given
	}
}

// labels reads the labels of a request. It returns nil if they are absent.
func labels(in *body.Object) map[string]string {
	given := in.Pairs("labels")
	for _, key := range slices.Sorted(maps.Keys(given)) {
		in.Rule(key != "", "labels", "a label must not have an empty key")
		in.Rule(!strings.Contains(key+given[key], "="), "labels."+key, "the label %s must not contain =", problem.Printable(key))
	}
	return given
}
