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
	fill(&api.GroupBackend{Tunnels: []api.Ref{one, two}}, &first)
	fill(&api.GroupBackend{Tunnels: []api.Ref{two, one, two}}, &second)
	if !first.Tunnels.Equal(second.Tunnels) || len(first.Tunnels.Elements()) != 2 {
		t.Errorf("%s and %s", first.Tunnels, second.Tunnels)
	}
}

func TestTunnels_knownIfLabelsStay(t *testing.T) {
	t.Parallel()
	state := &model{Labels: attribute.MapOf(map[string]string{"a": "b"}), Tunnels: tunnels([]api.Ref{one})}
	for label, known := range map[string]bool{"b": true, "c": false} {
		planned := &model{Labels: attribute.MapOf(map[string]string{"a": label}), Tunnels: types.SetUnknown(tunnelType)}
		plan(t.Context(), &crud.Planning[model]{State: state, Plan: planned})
		if planned.Tunnels.IsUnknown() == known {
			t.Errorf("label %s: tunnels %s", label, planned.Tunnels)
		}
	}
}

func TestTunnels_plannedValueIsKept(t *testing.T) {
	t.Parallel()
	answered := &model{Tunnels: tunnels([]api.Ref{one, two})}
	settle(&model{Tunnels: tunnels([]api.Ref{one})}, answered)
	if !answered.Tunnels.Equal(tunnels([]api.Ref{one})) {
		t.Errorf("the plan showed one tunnel, the state has %s", answered.Tunnels)
	}
	answered.Tunnels = tunnels([]api.Ref{two})
	settle(&model{Tunnels: types.SetUnknown(tunnelType)}, answered)
	if !answered.Tunnels.Equal(tunnels([]api.Ref{two})) {
		t.Errorf("the plan showed nothing, the state has %s", answered.Tunnels)
	}
}
