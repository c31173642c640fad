package groupbackend

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var one, two = api.Ref{ID: "tn_1", URI: "u1"}, api.Ref{ID: "tn_2", URI: "u2"}

func TestTunnels_orderHasNoMeaning(t *testing.T) {
	t.Parallel()
	var first, second model
	fill(nil, &api.GroupBackend{Tunnels: []api.Ref{one, two}}, &first)
	fill(nil, &api.GroupBackend{Tunnels: []api.Ref{two, one, two}}, &second)
	if !first.Tunnels.Equal(second.Tunnels) || len(first.Tunnels.Elements()) != 2 {
		t.Errorf("%s and %s", first.Tunnels, second.Tunnels)
	}
}

func TestTunnels_knownIfLabelsStay(t *testing.T) {
	t.Parallel()
	state := &model{Labels: attribute.MapOf(map[string]string{"a": "b"}), Tunnels: tunnels([]api.Ref{one})}
	for label, known := range map[string]bool{"b": true, "c": false} {
		planned := &model{Labels: attribute.MapOf(map[string]string{"a": label}), Tunnels: types.ListUnknown(tunnelType)}
		plan(t.Context(), &crud.Planning[*model]{State: state, Plan: planned})
		if planned.Tunnels.IsUnknown() == known {
			t.Errorf("label %s: tunnels %s", label, planned.Tunnels)
		}
	}
}
