package attribute

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

func TestJSONObject_comparedByContent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":{"c":[true,null]}}`, " {\n\t\"b\" : {\"c\": [ true, null ]}, \"a\": 1 }\n", true},
		{`{"a":"<&>"}`, `{"a":"\u003c\u0026\u003E"}`, true},
		{`{"a":1}`, `{"a":1.0}`, true},
		{`{"a":0.0012}`, `{"a":12E-4}`, true},
		{`{"a":-0}`, `{"a":0.00}`, true},
		{`{"a":-1.50}`, `{"a":-15e-1}`, true},
		{`{"a":1e999999}`, `{"a":10e999998}`, true},
		{`{"a":9007199254740993}`, `{"a":9007199254740992}`, false},
		{`{"a":1}`, `{"a":-1}`, false},
		{`{"a":1e99999999999999999999}`, `{"a":1e99999999999999999998}`, false},
		{`{"a":1e99999999999999999999}`, `{"a":0}`, false},
		{`{"a":1}`, `{"a":"1"}`, false},
		{`{"a":[1,2]}`, `{"a":[2,1]}`, false},
		{`{"a":[1]}`, `{"a":[1,1]}`, false},
		{`{"a":null}`, `{}`, true},
		{`{"a":{"b":null},"c":[{"d":null}]}`, `{"a":{},"c":[{}]}`, true},
		{`{"a":[null]}`, `{"a":[]}`, false},
		{`{"allow":["2001:DB8:0::1","10.0.0.0/8"]}`, `{"allow":["2001:db8::1","10.0.0.0/8"]}`, true},
		{`{"allow":["10.0.0.0/8"]}`, `{"allow":["10.0.0.0/9"]}`, false},
		{`{"metadata":{"ip":"2001:DB8::1"}}`, `{"metadata":{"ip":"2001:db8::1"}}`, false},
		{`{"deny":"2001:DB8::1"}`, `{"deny":"2001:db8::1"}`, false},
		{`{"a":{}}`, `{"a":[]}`, false},
		{`{"a":1}`, `{"a":1} x`, false},
		{`nonsense`, `nonsense `, false},
		{`null`, `nonsense`, false},
	} {
		a, b := JSONObjectType{}.Of(c.a), JSONObjectType{}.Of(c.b)
		if a.Same(b) != c.same || b.Same(a) != c.same {
			t.Errorf("%s and %s: same %v and %v, want %v", c.a, c.b, a.Same(b), b.Same(a), c.same)
		}
	}
}

func TestJSONObject_refused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                       "unexpected end of JSON",
		" \n":                    "unexpected end of JSON",
		`{"a":`:                  "unexpected end of JSON",
		`{"a":1,}`:               "at byte 8",
		`{'a':1}`:                "at byte 2",
		`{"a":1} {"b":2}`:        "unexpected data after the JSON value, at byte 9",
		`[{"a":1}]`:              "found an array",
		`"{\"metadata\":{}}"`:    "encoded twice",
		`null`:                   "found null",
		` 12 `:                   "found 12",
		`true`:                   "found true",
		"metadata: {user: name}": "must be a JSON object, such as jsonencode({ metadata = {} }); found a text that is not JSON",
		"{metadata: 1}":          "found invalid JSON: invalid character 'm'",
	} {
		if err := checkJSONObject(text); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "jsonencode") {
			t.Errorf("%s: %v, want an error with %q and jsonencode", text, err, want)
		}
	}
	for text, want := range map[string]string{
		`{"n":1e999,"a":1,"a":2}`:                             "found a twice",
		`{"a":1,"b":2,"a":3}`:                                 "found a twice",
		`{"metadata":{"x":1,"env":{"a":1,"\u0061":2}}}`:       "found metadata.env.a twice",
		`{"list":[{"a":{"b":[1,2]}},[{"c":1,"d":[],"c":1}]]}`: "found list.c twice",
	} {
		if err := checkJSONObject(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
	for _, text := range []string{`{"a":{"a":{"a":1}},"b":["a","a"],"c":"a"}`, `{"a":[{"b":1},{"b":2}]}`, `{}`, ` {"metadata":{"a":{"b":1}}} `, "{\"a\":12345678901234567890}\n"} {
		if err := checkJSONObject(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestJSONObject_answerKeepsKnownSpelling(t *testing.T) {
	t.Parallel()
	null := JSONObject{basetypes.NewStringNull()}
	of := JSONObjectType{}.Of
	for _, c := range []struct {
		known  JSONObject
		answer string
		want   JSONObject
	}{
		{of(`{ "b": 1, "a": 1.0 }`), `{"a":1,"b":1}`, of(`{ "b": 1, "a": 1.0 }`)},
		{of(`{"a":1}`), `{"a": 2}`, of(`{"a":2}`)},
		{of(`{"a":1}`), `null`, null},
		{of(`{"a":1}`), `{}`, null},
		{null, `{"big":9007199254740993,"x":1.0}`, of(`{"big":9007199254740993,"x":1.0}`)},
		{null, `{}`, null},
		{null, `null`, null},
		{null, ``, null},
		{of(`{ }`), `null`, of(`{ }`)},
		{of(`{ }`), ``, of(`{ }`)},
		{of(`{ }`), `{}`, of(`{ }`)},
	} {
		if got := OptionalJSONObject(c.known, json.RawMessage(c.answer)); !got.Equal(c.want) {
			t.Errorf("known %s, answer %s: %s, want %s", c.known, c.answer, got, c.want)
		}
	}
}
