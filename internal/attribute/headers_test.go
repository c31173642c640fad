package attribute

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func TestOptionalHeaders_keepKnownSpelling(t *testing.T) {
	t.Parallel()
	known := MapOf(map[string]string{"Content-Type": "text/html"})
	empty := MapOf(nil)
	null := types.MapNull(types.StringType)
	for name, test := range map[string]struct {
		known  types.Map
		answer map[string]string
		want   types.Map
	}{
		"lower case":        {known, map[string]string{"content-type": "text/html"}, known},
		"another value":     {known, map[string]string{"content-type": "text/plain"}, MapOf(map[string]string{"Content-Type": "text/plain"})},
		"one more":          {known, map[string]string{"content-type": "text/html", "x": "y"}, MapOf(map[string]string{"Content-Type": "text/html", "x": "y"})},
		"cleared by hand":   {known, nil, empty},
		"empty stays empty": {empty, nil, empty},
		"null and empty":    {null, nil, empty},
		"imported":          {null, map[string]string{"X": "y"}, MapOf(map[string]string{"x": "y"})},
		"planned unknown":   {types.MapUnknown(types.StringType), map[string]string{"x": "y"}, MapOf(map[string]string{"x": "y"})},
	} {
		if got := OptionalHeaders(test.known, test.answer); !got.Equal(test.want) {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

func TestOptionalACL_keepsKnownSpellingOfNoRestrictions(t *testing.T) {
	t.Parallel()
	null, empty, open := types.ListNull(ACLRuleType{}), aclOf(nil), aclOf([]string{"*"})
	rules := aclOf([]string{"bind:a.example.com"})
	spelled := aclOf([]string{"bind:C.example.com", "bind:a.example.com", "bind:A.example.com", "bind:Env=a"})
	for name, test := range map[string]struct {
		known  types.List
		answer []string
		want   types.List
	}{
		"null, star":         {null, []string{"*"}, empty},
		"null, empty":        {null, nil, empty},
		"star, empty":        {open, []string{}, open},
		"empty, star":        {empty, []string{"*"}, empty},
		"unknown, star":      {types.ListUnknown(ACLRuleType{}), []string{"*"}, empty},
		"rules, same":        {rules, []string{"bind:a.example.com"}, rules},
		"rules, lifted":      {rules, nil, empty},
		"rules, lifted by *": {rules, []string{"*"}, open},
		"null, restricted":   {null, []string{"bind:a.example.com"}, rules},
		"null, unordered":    {null, []string{"bind:b.example.com", "bind:a.example.com", "bind:b.example.com"}, aclOf([]string{"bind:a.example.com", "bind:b.example.com"})},
		"other order":        {spelled, []string{"bind:Env=a", "bind:a.example.com", "bind:c.example.com"}, spelled},
		"one less":           {spelled, []string{"bind:Env=a", "bind:c.example.com"}, aclOf([]string{"bind:C.example.com", "bind:Env=a"})},
		"another one":        {spelled, []string{"bind:env=a", "bind:c.example.com", "bind:a.example.com"}, aclOf([]string{"bind:C.example.com", "bind:a.example.com", "bind:A.example.com", "bind:env=a"})},
		"others as well": {spelled, []string{"bind:z.example.com", "bind:Env=a", "bind:env=a", "bind:a.example.com", "bind:c.example.com"},
			aclOf([]string{"bind:C.example.com", "bind:a.example.com", "bind:A.example.com", "bind:Env=a", "bind:env=a", "bind:z.example.com"})},
	} {
		if got := OptionalACL(test.known, test.answer); !got.Equal(test.want) {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

// TestKeepSameACL_otherOrder checks that the order of rules, and a rule that is there
// twice, plan no change, also if there are many.
func TestKeepSameACL_otherOrder(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 10_000 {
		many = append(many, fmt.Sprintf("bind:host-%d.example.com", i))
	}
	reversed := slices.Clone(many)
	slices.Reverse(reversed)
	unknown := types.ListValueMust(ACLRuleType{}, []attr.Value{Value[aclRule]{types.StringUnknown()}})
	for name, test := range map[string]struct {
		plan, state types.List
		kept        bool
	}{
		"same":             {aclOf([]string{"bind:B.example.com", "*", "*"}), aclOf([]string{"*", "bind:b.example.com"}), true},
		"one less":         {aclOf([]string{"*"}), aclOf([]string{"*", "bind:b.example.com"}), false},
		"one more":         {aclOf([]string{"*", "bind:b.example.com"}), aclOf([]string{"*"}), false},
		"empty":            {aclOf(nil), aclOf([]string{"*"}), true},
		"star":             {aclOf([]string{"*"}), aclOf(nil), true},
		"star and more":    {aclOf([]string{"*", "bind:b.example.com"}), aclOf(nil), false},
		"unknown":          {types.ListUnknown(ACLRuleType{}), aclOf([]string{"*"}), false},
		"unknown element":  {unknown, aclOf([]string{""}), false},
		"many, reversed":   {aclOf(reversed), aclOf(many), true},
		"many, other last": {aclOf(append(reversed[1:], "bind:other.example.com")), aclOf(many), false},
	} {
		resp := &planmodifier.ListResponse{PlanValue: test.plan}
		KeepSameACL().PlanModifyList(t.Context(), planmodifier.ListRequest{PlanValue: test.plan, StateValue: test.state}, resp)
		if kept := resp.PlanValue.Equal(test.state); kept != test.kept {
			t.Errorf("%s: kept is %t", name, kept)
		}
	}
}

func aclOf(rules []string) types.List { return ACLRuleType{}.listOf(rules) }

func TestHeaderValue_controlCharacters(t *testing.T) {
	t.Parallel()
	for value, ok := range map[string]bool{"": true, "text/html; charset=utf-8": true, "a\tb": true, "ü": true, "a\n": false, "a\r\nSet-Cookie: b": false, "a\x00": false} {
		if err := checkHeaderValue(value); (err == nil) != ok {
			t.Errorf("%q: %v", value, err)
		}
	}
}

func TestKeepSameHeaders_notIfAValueIsUnknown(t *testing.T) {
	t.Parallel()
	state := MapOf(map[string]string{"X-Id": ""})
	for name, test := range map[string]struct {
		value types.String
		kept  bool
	}{
		"unknown":       {types.StringUnknown(), false},
		"null":          {types.StringNull(), false},
		"same":          {types.StringValue(""), true},
		"another value": {types.StringValue("a"), false},
	} {
		planned := types.MapValueMust(types.StringType, map[string]attr.Value{"x-id": test.value})
		resp := &planmodifier.MapResponse{PlanValue: planned}
		KeepSameHeaders().PlanModifyMap(t.Context(), planmodifier.MapRequest{PlanValue: planned, StateValue: state}, resp)
		if kept := resp.PlanValue.Equal(state); kept != test.kept {
			t.Errorf("%s: kept is %t", name, kept)
		}
	}
}

func TestKeepSameHeaders_unknownStays(t *testing.T) {
	t.Parallel()
	unknown := types.MapUnknown(types.StringType)
	resp := &planmodifier.MapResponse{PlanValue: unknown}
	KeepSameHeaders().PlanModifyMap(t.Context(), planmodifier.MapRequest{PlanValue: unknown, StateValue: MapOf(nil)}, resp)
	if !resp.PlanValue.IsUnknown() {
		t.Errorf("planned %s", resp.PlanValue)
	}
}
