package attribute

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// ToJSON returns a nested object as a JSON object of the API, if the names of its
// attributes are those of the API, and all are objects, texts or Boolean values. It
// omits what is null, unknown or an empty text.
func ToJSON(object types.Object) map[string]any {
	members := map[string]any{}
	for name, value := range object.Attributes() {
		switch value := value.(type) {
		case types.Object:
			if IsKnown(value) {
				members[name] = ToJSON(value)
			}
		case types.String:
			if text := value.ValueString(); text != "" {
				members[name] = text
			}
		case types.Bool:
			members[name] = value.ValueBool()
		}
	}
	return members
}

// FromJSON returns the nested object that a JSON object of the API describes. It keeps
// the known form of empty texts (see Optional). An object that is absent is null, and so
// is a value of another type: the next plan shows the difference. A Boolean value that is
// absent is false. Members without an attribute are not read.
func FromJSON(of map[string]attr.Type, known types.Object, answer map[string]any) types.Object {
	members, kept := map[string]attr.Value{}, known.Attributes()
	for name, member := range of {
		before := kept[name]
		switch member := member.(type) {
		case types.ObjectType:
			members[name] = types.ObjectNull(member.AttrTypes)
			if object, ok := answer[name].(map[string]any); ok {
				before, _ := before.(types.Object)
				members[name] = FromJSON(member.AttrTypes, before, object)
			}
		case basetypes.BoolType:
			value, _ := answer[name].(bool)
			members[name] = types.BoolValue(value)
		default: // text
			value, _ := answer[name].(string)
			before, _ := before.(types.String)
			members[name] = Optional(before, value)
		}
	}
	return types.ObjectValueMust(of, members)
}
