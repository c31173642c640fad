package attribute_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// A value that is not set means something else than an empty one, which some services
// tell apart.
func TestValue_nullIsNotEmpty(t *testing.T) {
	t.Parallel()
	null, unknown := attribute.Metadata{StringValue: types.StringNull()}, attribute.Metadata{StringValue: types.StringUnknown()}
	empty := attribute.Metadata{StringValue: types.StringValue("")}
	for _, other := range []attribute.Metadata{null, unknown} {
		if empty.Same(other) || other.Same(empty) || other.Same(other) {
			t.Errorf("%s is the same as the empty text", other)
		}
	}
}

func TestMetadata_same(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`{"a": 1, "b": [true]}`, "{\"b\":[true],\n\"a\":1}", true},
		{`["<"]`, `["\u003c"]`, true},
		{`{"a": 1}`, `{"a": 2}`, false},
		{`[1, 2]`, `[2, 1]`, false},
		{`1.0`, `1`, false}, // not a document, so compared as text
		{`"a"`, ` "a"`, false},
		{`team a`, `team  a`, false},
		{`team a`, `team a`, true},
		{`{"a": 1`, `{"a":1`, false},
	} {
		of := attribute.MetadataType{}
		if got := of.Of(test.a).Same(of.Of(test.b)); got != test.want {
			t.Errorf("%s and %s: %t", test.a, test.b, got)
		}
	}
}
