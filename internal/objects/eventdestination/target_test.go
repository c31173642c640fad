package eventdestination

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// A response without a target, or with a kind of target that the provider does not
// know, says nothing about the known one: it must not replace the destination.
func TestEventDestination_unknownTargetReplacesNothing(t *testing.T) {
	t.Parallel()
	known := target{Debug: &debug{Log: types.BoolValue(true)}}.object()
	m := &model{Target: known}
	fill(nil, &api.EventDestination{}, m)
	if !m.Target.Equal(known) {
		t.Errorf("the target became %s", m.Target)
	}
	imported := &model{}
	fill(nil, &api.EventDestination{}, imported)
	var replaces objectplanmodifier.RequiresReplaceIfFuncResponse
	otherKind(context.Background(), planmodifier.ObjectRequest{PlanValue: known, StateValue: imported.Target}, &replaces)
	if replaces.RequiresReplace {
		t.Error("the destination is replaced")
	}
}

// A service may refuse an empty text where it expects a URL or a site.
func TestEventDestination_sendsOnlyWhatIsSet(t *testing.T) {
	t.Parallel()
	for want, target := range map[string]target{
		`{"debug":{"log":true}}`:                               {Debug: &debug{Log: types.BoolValue(true)}},
		`{"datadog":{"api_key":"secret","ddtags":"env:prod"}}`: {Datadog: &datadog{DDTags: types.StringValue("env:prod")}},
	} {
		got, err := json.Marshal(requested(target.object(), types.StringValue("secret")))
		if err != nil || string(got) != want {
			t.Errorf("sent %s, %v, want %s", got, err, want)
		}
	}
}
