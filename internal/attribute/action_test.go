package attribute

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

func TestActionType_check(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"deny", "log", "restrict-ips", "x9", "terminate-tls"} {
		if err := checkActionType(good); err != nil {
			t.Error(err)
		}
	}
	for bad, want := range map[string]string{
		"":             "such as deny",
		"restrict_ips": `found "restrict_ips". Did you mean "restrict-ips"?`,
		"Deny":         `Did you mean "deny"?`,
		"9lives":       "such as deny",
		"-log":         "such as deny",
		"log a":        "such as deny",
		"log\n":        "such as deny",
	} {
		if err := checkActionType(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", bad, err, want)
		}
	}
}

func TestActionConfig_invalidJSONIsReportedOnce(t *testing.T) {
	t.Parallel()
	for config, warnings := range map[string]int{"{metadata: {}}": 0, `"text"`: 0, "{}": 1, `{"metadata": {}}`: 0} {
		object := types.ObjectValueMust(
			map[string]attr.Type{"type": types.StringType, "config": JSONObjectType{}},
			map[string]attr.Value{"type": types.StringValue("log"), "config": JSONObjectType{}.Of(config)},
		)
		var found validator.ObjectResponse
		Action.ValidateObject(WithPriorState(t.Context(), nil), validator.ObjectRequest{Path: path.Root("inbound").AtListIndex(0), ConfigValue: object}, &found)
		if found.Diagnostics.WarningsCount() != warnings {
			t.Errorf("%s: %v", config, found.Diagnostics)
		}
	}
}

func TestActionConfig_logSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]string{
		"":                  "inbound[0].config is not set. Set for example config",
		"{}":                "inbound[0].config is empty, so it has no metadata object.",
		`{"meta": {}}`:      `inbound[0].config has the member "meta", but no metadata. Did you mean metadata?`,
		`{"metdata": {}}`:   `has the member "metdata", but no metadata. Did you mean metadata?`,
		`{"metadata": "x"}`: "inbound[0].config has metadata = x. Expected an object.",
		`{"level": "x"}`:    "inbound[0].config has no metadata object.",
	} {
		object := types.ObjectValueMust(
			map[string]attr.Type{"type": types.StringType, "config": JSONObjectType{}},
			map[string]attr.Value{"type": types.StringValue("log"), "config": JSONObjectType{}.Of(config)},
		)
		var found validator.ObjectResponse
		Action.ValidateObject(WithPriorState(t.Context(), nil), validator.ObjectRequest{Path: path.Root("inbound").AtListIndex(0), ConfigValue: object}, &found)
		if len(found.Diagnostics) != 1 || !strings.Contains(found.Diagnostics[0].Detail(), want) {
			t.Errorf("%s: %v\nwant %s", config, found.Diagnostics, want)
		}
	}
}

func TestActionConfig_unusualIsAWarning(t *testing.T) {
	t.Parallel()
	config := JSONObjectType{}.Of("{}")
	none := JSONObjectType{}.Of("")
	unknown := JSONObject{basetypes.NewStringUnknown()}
	status := JSONObjectType{}.Of(`{"status_code":403}`)
	for _, c := range []struct {
		kind     types.String
		config   JSONObject
		warnings int
	}{
		{types.StringValue("deny"), config, 0},
		{types.StringValue("deny"), status, 1},
		{types.StringValue("deny"), none, 0},
		{types.StringValue("deny"), unknown, 0},
		{types.StringValue("log"), config, 1},
		{types.StringValue("log"), none, 1},
		{types.StringValue("log"), unknown, 0},
		{types.StringValue("restrict-ips"), none, 1},
		{types.StringValue("restrict-ips"), unknown, 0},
		{types.StringUnknown(), config, 0},
		{types.StringUnknown(), none, 0},
	} {
		at := path.Root("inbound").AtListIndex(0)
		object := types.ObjectValueMust(
			map[string]attr.Type{"type": types.StringType, "config": JSONObjectType{}},
			map[string]attr.Value{"type": c.kind, "config": c.config},
		)
		var found validator.ObjectResponse
		Action.ValidateObject(WithPriorState(t.Context(), nil), validator.ObjectRequest{Path: at, ConfigValue: object}, &found)
		if len(found.Diagnostics) != c.warnings || found.Diagnostics.HasError() {
			t.Errorf("%s with %s: %v", c.kind, c.config, found.Diagnostics)
		}
	}
	var found validator.ObjectResponse
	Action.ValidateObject(WithPriorState(t.Context(), nil), validator.ObjectRequest{ConfigValue: types.ObjectNull(nil)}, &found)
	if found.Diagnostics.HasError() {
		t.Error(found.Diagnostics)
	}
}
