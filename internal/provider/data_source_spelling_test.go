package provider_test

import (
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestDataSource_oneSpelling reads every kind many times from a service that
// spells values differently in each response.
func TestDataSource_oneSpelling(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t, testserver.WithQuirks(7))
	for _, kind := range acctest.Kinds {
		t.Run(kind.Type, func(t *testing.T) {
			t.Parallel()
			keys := kind.Create(t, w)
			given := map[string]tftypes.Value{}
			for name, key := range keys {
				given[name] = text(key)
			}
			var first map[string]tftypes.Value
			for range 8 {
				p := w.Protocol(t)
				now := maps.Clone(p.Attributes(p.DataSource(kind.Type, given)))
				delete(now, "tunnels") // the service chooses them
				if first == nil {
					first = now
				}
				for name, value := range now {
					if !value.Equal(first[name]) {
						t.Errorf("%s is %s, before it was %s", name, value, first[name])
					}
				}
			}
		})
	}
}
