package attribute

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func TestExpressions_keepKnownText(t *testing.T) {
	t.Parallel()
	known := ListOf([]string{"conn.x == 'a'\n", "true", "("})
	got := Expressions(known, []string{`conn.x == "a"`, "false", " (", "new"})
	if want := ListOf([]string{"conn.x == 'a'\n", "false", " (", "new"}); !got.Equal(want) {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := Expressions(types.List{}, []string{"true"}); !got.Equal(ListOf([]string{"true"})) {
		t.Errorf("got %s", got)
	}
}

func TestKeepSameExpressions_plan(t *testing.T) {
	t.Parallel()
	state := ListOf([]string{"true", "conn.x == 'a'"})
	unknown := types.ListValueMust(types.StringType, []attr.Value{types.StringUnknown(), types.StringValue("conn.x=='a'")})
	for _, test := range []struct{ plan, want types.List }{
		{ListOf([]string{"true\n", "(conn.x == \"a\")"}), state},
		{ListOf([]string{"false", "conn.x == 'a' "}), ListOf([]string{"false", "conn.x == 'a' "})},
		{ListOf([]string{" true"}), ListOf([]string{" true"})},
		{unknown, unknown},
		{types.ListUnknown(types.StringType), types.ListUnknown(types.StringType)},
		{types.ListNull(types.StringType), types.ListNull(types.StringType)},
	} {
		resp := &planmodifier.ListResponse{PlanValue: test.plan}
		KeepSameExpressions().PlanModifyList(t.Context(), planmodifier.ListRequest{PlanValue: test.plan, StateValue: state}, resp)
		if !resp.PlanValue.Equal(test.want) {
			t.Errorf("%s: got %s, want %s", test.plan, resp.PlanValue, test.want)
		}
	}
}
