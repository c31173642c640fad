package crud

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// In a plural data source, a list, set or map that an object does not have is empty
// instead of null, so that an expression such as contains(edge.hostports, "a:443")
// works for all objects. One object says null, like the resource.

// emptyForNull returns a value in which the lists, sets and maps that are null are
// empty.
func emptyForNull(ctx context.Context, value attr.Value) attr.Value {
	switch value := value.(type) {
	case types.List:
		if value.IsNull() {
			return types.ListValueMust(value.ElementType(ctx), nil)
		}
		return types.ListValueMust(value.ElementType(ctx), eachEmpty(ctx, value.Elements()))
	case types.Set:
		if value.IsNull() {
			return types.SetValueMust(value.ElementType(ctx), nil)
		}
		return types.SetValueMust(value.ElementType(ctx), eachEmpty(ctx, value.Elements()))
	case types.Map:
		if value.IsNull() {
			return types.MapValueMust(value.ElementType(ctx), nil)
		}
	case types.Object:
		if value.IsNull() {
			return value
		}
		members := value.Attributes()
		for name, member := range members {
			members[name] = emptyForNull(ctx, member)
		}
		return types.ObjectValueMust(value.AttributeTypes(ctx), members)
	}
	return value
}

func eachEmpty(ctx context.Context, values []attr.Value) []attr.Value {
	for i, value := range values {
		values[i] = emptyForNull(ctx, value)
	}
	return values
}

// withoutNulls returns attributes whose descriptions fit emptyForNull.
func withoutNulls(attributes map[string]schema.Attribute) map[string]schema.Attribute {
	said := strings.NewReplacer("Null if", "Empty if", "Null or", "Empty or")
	for name, attribute := range attributes {
		switch a := attribute.(type) {
		case schema.ListAttribute:
			a.Description = said.Replace(a.Description)
			attributes[name] = a
		case schema.SetAttribute:
			a.Description = said.Replace(a.Description)
			attributes[name] = a
		case schema.MapAttribute:
			a.Description = said.Replace(a.Description)
			attributes[name] = a
		}
	}
	return attributes
}
