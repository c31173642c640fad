package attribute

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func TestKeepGenerated_onlyCompactJSON(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		planned, state string
		kept           bool
	}{
		{`{"a":1,"b":2}`, `{ "b": 2, "a": 1 }`, true},
		{`[1.5,100,12345678901234567890]`, "[1.50, 1e2,\n12345678901234567890]", true},
		{`{"\u003cb\u003e":"\u0026"}`, `{"<b>":"&"}`, true},
		{`{ "a": 1 }`, `{"a":1}`, false},
		{"{\n  \"a\": 1\n}", `{ "a": 1 }`, false},
		{`{"a":null}`, `{}`, false},
		{`{"a":2}`, `{ "a": 1 }`, false},
		{`100`, `1e2`, false},
		{`{a}`, ` {a}`, false},
	} {
		planned, state := types.StringValue(test.planned), types.StringValue(test.state)
		resp := &planmodifier.StringResponse{PlanValue: planned}
		KeepGenerated.PlanModifyString(t.Context(), planmodifier.StringRequest{PlanValue: planned, StateValue: state}, resp)
		if kept := resp.PlanValue.Equal(state); kept != test.kept {
			t.Errorf("%s for %s: kept is %t", test.planned, test.state, kept)
		}
	}
}
