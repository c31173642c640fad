package provider_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestDataSource_oneSpelling reads the data sources of every kind many times
// from services that store other values than were sent, and spell them
// differently in each response. An output must not differ between two plans.
func TestDataSource_oneSpelling(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			t.Parallel()
			var values []string // a third of all
			for i, value := range testserver.Behaviors("values") {
				if i%3 == int(seed)%3 {
					values = append(values, value.Name)
				}
			}
			w := acctest.Start(t, testserver.WithBehavior(fmt.Sprint("seed=", seed)), testserver.WithBehavior(values...))
			given := map[string]arguments{} // by data source
			for _, kind := range acctest.Kinds {
				given[kind.Type], given[kind.TypeOfMany] = arguments{}, nil
				for name, key := range kind.Create(t, w) {
					given[kind.Type][name] = text(key)
				}
			}
			first := map[string]tftypes.Value{}
			for range 4 {
				p := w.Protocol(t)
				for name, arguments := range given {
					now := withoutTunnels(t, p.DataSource(name, arguments))
					if before, ok := first[name]; !ok {
						first[name] = now
					} else if diff, _ := before.Diff(now); len(diff) > 0 {
						t.Errorf("%s differs between two plans: %v", name, diff)
					}
				}
			}
		})
	}
}

// withoutTunnels removes the tunnels, which the service chooses.
func withoutTunnels(t *testing.T, value tftypes.Value) tftypes.Value {
	t.Helper()
	changed, err := tftypes.Transform(value, func(path *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if path.LastStep() == tftypes.AttributeName("tunnels") {
			return tftypes.NewValue(value.Type(), nil), nil
		}
		return value, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return changed
}
