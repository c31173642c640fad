package attribute_test

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

func TestNested_toAndFromJSON(t *testing.T) {
	t.Parallel()
	inner := map[string]attr.Type{"text": types.StringType, "on": types.BoolType}
	of := map[string]attr.Type{"inner": types.ObjectType{AttrTypes: inner}, "name": types.StringType}
	object := func(text, name types.String, on bool) types.Object {
		return types.ObjectValueMust(of, map[string]attr.Value{
			"inner": types.ObjectValueMust(inner, map[string]attr.Value{"text": text, "on": types.BoolValue(on)}), "name": name,
		})
	}
	withoutInner := types.ObjectValueMust(of, map[string]attr.Value{"inner": types.ObjectNull(inner), "name": types.StringValue("n")})
	null, empty := types.StringNull(), types.StringValue("")
	for name, test := range map[string]struct {
		known  types.Object
		answer string
		want   types.Object
		sent   string
	}{
		"values":                {object(null, null, false), `{"inner": {"text": "t", "on": true, "more": 1}, "name": "n"}`, object(types.StringValue("t"), types.StringValue("n"), true), `{"inner":{"on":true,"text":"t"},"name":"n"}`},
		"absent":                {types.Object{}, `{"inner": {}}`, object(null, null, false), `{"inner":{"on":false}}`},
		"empty as known":        {object(empty, null, true), `{"inner": {"text": ""}, "name": ""}`, object(empty, null, false), `{"inner":{"on":false}}`},
		"null object":           {object(empty, empty, true), `{"inner": null, "name": "n"}`, withoutInner, `{"name":"n"}`},
		"values of other types": {types.Object{}, `{"inner": {"text": 7, "on": "yes"}, "name": {}}`, object(null, null, false), `{"inner":{"on":false}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var answer map[string]any
			if err := json.Unmarshal([]byte(test.answer), &answer); err != nil {
				t.Fatal(err)
			}
			got := attribute.FromJSON(of, test.known, answer)
			if !got.Equal(test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if sent, err := json.Marshal(attribute.ToJSON(got)); err != nil || string(sent) != test.sent {
				t.Errorf("sent %s, %v, want %s", sent, err, test.sent)
			}
		})
	}
	if sent := attribute.ToJSON(object(types.StringUnknown(), null, false)); len(sent) != 1 {
		t.Errorf("sent %v", sent)
	}
}
