package crud

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// TestAmongLookup_severalObjects checks that a lookup does not choose one of several
// objects: the error names them.
func TestAmongLookup_severalObjects(t *testing.T) {
	t.Parallel()
	lookup := AmongLookup("hostport", "", api.TLSEdges.Kind, attribute.HostportFormat, func(e *api.Edge) []string { return e.Hostports })
	edges := []*api.Edge{
		{Object: api.Object{Identified: api.Identified{ID: "edgtls_1"}}, Hostports: []string{"a.example.com:443"}}, {Object: api.Object{Identified: api.Identified{ID: "edgtls_2"}}},
		{Object: api.Object{Identified: api.Identified{ID: "edgtls_3"}}, Hostports: []string{"b.example.com:443", "A.example.com:443"}},
	}
	_, err := lookup.Find("a.example.com:443", time.Now(), slices.Values(edges))
	if err == nil || !strings.Contains(err.Error(), `2 TLS edges have "a.example.com:443": edgtls_1, edgtls_3. To read one of them, set id`) {
		t.Errorf("got %v", err)
	}
	if found, err := lookup.Find("b.example.com:443", time.Now(), slices.Values(edges)); err != nil || found != edges[2] {
		t.Errorf("got %v, %v", found, err)
	}
	if _, err := lookup.Find("a.example.com:443", time.Now(), slices.Values(edges[1:2])); err == nil || strings.Contains(err.Error(), "Existing") {
		t.Errorf("got %v", err)
	}
}
