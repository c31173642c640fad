package attribute

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// TestFill_keepsKnownElements checks what the state has after the service reorders,
// repeats, respells, adds and removes elements. A read takes a list of another element
// type for a change.
func TestFill_keepsKnownElements(t *testing.T) {
	t.Parallel()
	known := []string{"C.example.com:443", "a.example.com:443", "c.example.com:443"}
	for name, test := range map[string]struct{ known, answer, want []string }{
		"other order":    {known, []string{"a.example.com:443", "c.example.com:443"}, known},
		"repeated":       {known, []string{"c.example.com:443", "a.example.com:443", "A.example.com:443"}, known},
		"one less":       {known, []string{"c.example.com:443"}, []string{"C.example.com:443", "c.example.com:443"}},
		"another one":    {known, []string{"b.example.com:443", "c.example.com:443"}, []string{"C.example.com:443", "b.example.com:443", "c.example.com:443"}},
		"more":           {known, []string{"e:443", "d:443", "E:443", "b:443", "c.example.com:443"}, []string{"C.example.com:443", "E:443", "c.example.com:443", "b:443", "d:443"}},
		"none is known":  {nil, []string{"b:443", "a:443", "b:443"}, []string{"a:443", "b:443"}},
		"none is stored": {known, nil, nil},
	} {
		known := HostportType{}.listOf(test.known)
		want := HostportType{}.listOf(test.want)
		if got := (HostportType{}).Fill(known, test.answer); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	many := make([]string, 50_000) // a quadratic step would take minutes
	for i := range many {
		many[i] = fmt.Sprintf("host-%06d.example.com:443", i)
	}
	reversed := slices.Clone(many)
	slices.Reverse(reversed)
	if got := (HostportType{}).Fill(HostportType{}.listOf(reversed), many); !got.Equal(HostportType{}.listOf(reversed)) {
		t.Error("many elements do not keep the known order")
	}
	for _, known := range []types.List{{}, types.ListUnknown(TextType{})} {
		if got := (TextType{}).Fill(known, []string{"b", "a", "B", "a"}); !got.Equal(TextType{}.listOf([]string{"B", "a", "b"})) {
			t.Errorf("%s becomes %s", known, got)
		}
	}
}

func TestSameElements_orderAndRepetitions(t *testing.T) {
	t.Parallel()
	of := func(texts ...string) types.List { return HostportType{}.listOf(texts) }
	unknown := types.ListValueMust(HostportType{}, []attr.Value{Value[hostport]{types.StringUnknown()}})
	for name, test := range map[string]struct {
		a, b types.List
		want bool
	}{
		"other order":     {of("a:443", "b:443"), of("B:443", "a:443", "b:443"), true},
		"one more":        {of("a:443"), of("a:443", "b:443"), false},
		"both empty":      {of(), of(), true},
		"null and empty":  {types.ListNull(HostportType{}), of(), false},
		"unknown":         {types.ListUnknown(HostportType{}), of(), false},
		"unknown element": {unknown, of(""), false},
	} {
		if (HostportType{}).SameElements(test.a, test.b) != test.want || (HostportType{}).SameElements(test.b, test.a) != test.want {
			t.Errorf("%s: want %t", name, test.want)
		}
	}
	if (TextType{}).SameElements(of("a"), of("A")) {
		t.Error("texts are the same")
	}
}

func TestDistinct_oneOfEachMeaning(t *testing.T) {
	t.Parallel()
	given := []string{"b:443", "a:443", "B:443", "b:443"}
	if got := (HostportType{}).Distinct(given); !slices.Equal(got, []string{"B:443", "a:443"}) {
		t.Errorf("hostports: %q", got)
	}
	if got := (TextType{}).Distinct(given); !slices.Equal(got, []string{"B:443", "a:443", "b:443"}) {
		t.Errorf("texts: %q", got)
	}
	if got := (TextType{}).Distinct(nil); got == nil {
		t.Error("null instead of []")
	}
}
