package eventdestination

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

var targetTypes = resourceSchema.Attributes["target"].GetType().(attr.TypeWithAttributeTypes).AttributeTypes()

// kindOf returns the attribute of a target, or of an authentication, that is set, also
// if its value is unknown. It returns "" if that is not known.
func kindOf(union types.Object) string {
	found := ""
	for name, value := range union.Attributes() {
		switch {
		case value.IsNull():
		case found != "":
			return ""
		default:
			found = name
		}
	}
	return found
}

// authOf returns how the service authenticates with the target: "role", "creds", or "" if
// that is not known, and for targets outside of AWS.
func authOf(target types.Object) string {
	of, _ := target.Attributes()[kindOf(target)].(types.Object)
	auth, _ := of.Attributes()["auth"].(types.Object)
	return kindOf(auth)
}

func needsSecret(target types.Object) bool {
	return kindOf(target) == "datadog" || authOf(target) == "creds"
}

// hasNoSecret reports whether a target surely has no secret.
func hasNoSecret(target types.Object) bool {
	return kindOf(target) == "debug" || authOf(target) == "role"
}

// requested returns the target for a request.
func requested(target types.Object, secret types.String) map[string]any {
	body := attribute.ToJSON(target)
	of, _ := body[kindOf(target)].(map[string]any)
	if kindOf(target) == "datadog" {
		of["api_key"] = secret.ValueString()
	}
	if auth, ok := of["auth"].(map[string]any); ok {
		if creds, ok := auth["creds"].(map[string]any); ok {
			creds["aws_secret_access_key"] = secret.ValueString()
		}
	}
	return body
}

// answered returns the target of a response. It is null if the service has a kind of
// target that this provider does not know.
func answered(known types.Object, target map[string]any) types.Object {
	kind := used(target, slices.Collect(maps.Keys(targetTypes)), "debug", "datadog")
	if kind == "" {
		return types.ObjectNull(targetTypes)
	}
	of, _ := target[kind].(map[string]any)
	if auth, ok := of["auth"].(map[string]any); ok {
		way := used(auth, []string{"role", "creds"})
		of = maps.Clone(of)
		of["auth"] = map[string]any{way: auth[way]}
	}
	return attribute.FromJSON(targetTypes, known, map[string]any{kind: of})
}

// used returns which one of some members of an object is used, "" if that is not clear. A
// service may show the others as empty objects, and some can be used without values.
func used(object map[string]any, members []string, withoutValues ...string) string {
	var filled, empty []string
	for _, name := range members {
		if !isEmpty(object[name]) {
			filled = append(filled, name)
		}
	}
	for _, name := range withoutValues {
		if object[name] != nil {
			empty = append(empty, name)
		}
	}
	switch {
	case len(filled) == 1:
		return filled[0]
	case len(filled) == 0 && len(empty) == 1:
		return empty[0]
	}
	return ""
}

func isEmpty(value any) bool {
	object, ok := value.(map[string]any)
	for _, member := range object {
		if !isEmpty(member) {
			return false
		}
	}
	return ok || value == nil || value == "" || value == false
}
