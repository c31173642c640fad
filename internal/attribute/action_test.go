package attribute

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
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

// warnings returns what is said of an action.
func warnings(t *testing.T, kind types.String, config JSONObject) diag.Diagnostics {
	t.Helper()
	object := types.ObjectValueMust(
		map[string]attr.Type{"type": types.StringType, "config": JSONObjectType{}}, map[string]attr.Value{"type": kind, "config": config},
	)
	var found validator.ObjectResponse
	Action.ValidateObject(WithPriorState(t.Context(), nil), validator.ObjectRequest{Path: path.Root("inbound").AtListIndex(0), ConfigValue: object}, &found)
	return found.Diagnostics
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
		if found := warnings(t, types.StringValue("log"), JSONObjectType{}.Of(config)); len(found) != 1 || !strings.Contains(found[0].Detail(), want) {
			t.Errorf("%s: %v\nwant %s", config, found, want)
		}
	}
	for _, invalid := range []string{"{metadata: {}}", `"text"`, `{"metadata": {}}`} { // the first two are reported elsewhere
		if found := warnings(t, types.StringValue("log"), JSONObjectType{}.Of(invalid)); found.WarningsCount() > 0 {
			t.Errorf("%s: %v", invalid, found)
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
		if found := warnings(t, c.kind, c.config); len(found) != c.warnings || found.HasError() {
			t.Errorf("%s with %s: %v", c.kind, c.config, found)
		}
	}
	var found validator.ObjectResponse
	Action.ValidateObject(WithPriorState(t.Context(), nil), validator.ObjectRequest{ConfigValue: types.ObjectNull(nil)}, &found)
	if found.Diagnostics.HasError() {
		t.Error(found.Diagnostics)
	}
}
