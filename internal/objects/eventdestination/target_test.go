package eventdestination

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// A response without a target, or with a kind of target that the provider does not
// know, says nothing about the known one: it must not replace the destination.
func TestEventDestination_unknownTargetReplacesNothing(t *testing.T) {
	t.Parallel()
	known := targetOf(map[string]any{"debug": map[string]any{"log": true}})
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
	for want, target := range map[string]map[string]any{
		`{"debug":{"log":true}}`:                               {"debug": map[string]any{"log": true}},
		`{"datadog":{"api_key":"secret","ddtags":"env:prod"}}`: {"datadog": map[string]any{"ddtags": "env:prod"}},
		`{"kinesis":{"auth":{"creds":{"aws_access_key_id":"AKIA","aws_secret_access_key":"secret"}},"stream_arn":"arn"}}`: {"kinesis": map[string]any{
			"stream_arn": "arn", "auth": map[string]any{"creds": map[string]any{"aws_access_key_id": "AKIA"}},
		}},
	} {
		got, err := json.Marshal(requested(targetOf(target), types.StringValue("secret")))
		if err != nil || string(got) != want {
			t.Errorf("sent %s, %v, want %s", got, err, want)
		}
	}
}

// A service may show the kinds that are not used as empty objects, leave out what is
// empty, and return values of other types.
func TestEventDestination_targetOfResponse(t *testing.T) {
	t.Parallel()
	const none = `, "firehose": {"auth": {"role": {}, "creds": null}, "delivery_stream_arn": ""}, "debug": {"log": false}`
	for answer, want := range map[string]map[string]any{
		`{"datadog": {}}`: {"datadog": map[string]any{}},
		`{"datadog": {}, "debug": null, "kinesis": null}`: {"datadog": map[string]any{}},
		`{"debug": {}}`: {"debug": map[string]any{"log": false}},
		`{"datadog": {"service": "a"}, "debug": {"log": false}}`: {"datadog": map[string]any{"service": "a"}},
		`{"datadog": {}, "debug": {"log": true}}`:                {"debug": map[string]any{"log": true}},
		`{"datadog": {"ddsite": "a"}, "x_flags": 7` + none + `}`: {"datadog": map[string]any{"ddsite": "a"}},
		`{"kinesis": {"auth": {"role": {"role_arn": "r"}, "creds": {"aws_access_key_id": ""}}, "stream_arn": "s"}` + none + `}`: {"kinesis": map[string]any{
			"stream_arn": "s", "auth": map[string]any{"role": map[string]any{"role_arn": "r"}},
		}},
		`{"azure": {"name": "a"}}`:                     nil,
		`{"debug": {"log": "yes", "callback_url": 1}}`: {"debug": map[string]any{"log": false}},
		`{"debug": {}, "datadog": {}}`:                 nil,
	} {
		var target map[string]any
		if err := json.Unmarshal([]byte(answer), &target); err != nil {
			t.Fatal(err)
		}
		wanted := types.ObjectNull(targetTypes)
		if want != nil {
			wanted = targetOf(want)
		}
		if got := answered(types.Object{}, target); !got.Equal(wanted) {
			t.Errorf("%s: got %s, want %s", answer, got, wanted)
		}
	}
}

func targetOf(members map[string]any) types.Object {
	return attribute.FromJSON(targetTypes, types.Object{}, members)
}
