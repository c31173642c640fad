package attribute

import (
	"reflect"
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
		"cleared by hand":   {known, nil, null},
		"empty stays empty": {empty, nil, empty},
		"null stays null":   {null, nil, null},
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
	null, empty, open := types.SetNull(types.StringType), SetOf(nil), SetOf([]string{"*"})
	rules := SetOf([]string{"bind:a.example.com"})
	for name, test := range map[string]struct {
		known  types.Set
		answer []string
		want   types.Set
	}{
		"null, star":         {null, []string{"*"}, null},
		"null, empty":        {null, nil, null},
		"star, empty":        {open, []string{}, open},
		"empty, star":        {empty, []string{"*"}, empty},
		"unknown, star":      {types.SetUnknown(types.StringType), []string{"*"}, null},
		"rules, same":        {rules, []string{"bind:a.example.com"}, rules},
		"rules, lifted":      {rules, nil, null},
		"rules, lifted by *": {rules, []string{"*"}, open},
		"null, restricted":   {null, []string{"bind:a.example.com"}, rules},
	} {
		if got := OptionalACL(test.known, test.answer); !got.Equal(test.want) {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

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

// A refresh takes a set of another element type for a change, and compares whole
// states.
func TestOptionalSet_keepsElementType(t *testing.T) {
	t.Parallel()
	rules := []string{"bind:b.example.com", "bind:a.example.com"}
	for _, known := range []types.Set{setOf(ACLRuleType{}, rules), types.SetNull(ACLRuleType{}), setOf(ACLRuleType{}, nil)} {
		answer := Strings(known)
		if got := OptionalSet(known, answer); !reflect.DeepEqual(got, known) {
			t.Errorf("%s became %#v", known, got)
		}
		if got := OptionalACL(known, answer); !reflect.DeepEqual(got, known) {
			t.Errorf("the ACL %s became %#v", known, got)
		}
	}
}
