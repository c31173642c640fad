package crud

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// dataAttributes returns the attributes of data sources: every attribute of the
// resource that the service returns, as a computed attribute, and the derived
// attributes.
func (k *Definition) dataAttributes() map[string]data.Attribute {
	attributes := map[string]data.Attribute{}
	descriptions := map[string]string{
		"description": "Human-readable description of the " + k.Noun + ". Null if unset.",
		"metadata":    "Arbitrary user-defined metadata, usually JSON that can be decoded with `jsondecode`. Null if unset.",
	}
	maps.Copy(descriptions, k.Reading.Descriptions)
	for name, attribute := range k.Schema.Attributes {
		if !slices.Contains(k.Reading.ResourceOnly, name) {
			attributes[name] = readOnly(attribute, name, descriptions)
		}
	}
	for _, derived := range k.Reading.Derived {
		attributes[derived.Name] = derived.Schema
	}
	return attributes
}

// readOnly derives a data source's attribute from a resource's. descriptions
// holds descriptions by attribute path that replace the resource's. By default,
// it is the first line of the resource's, which says what the attribute is; what
// follows is about setting it.
func readOnly(attribute schema.Attribute, path string, descriptions map[string]string) data.Attribute {
	description, _, _ := strings.Cut(attribute.GetDescription(), "\n")
	if own, ok := descriptions[path]; ok {
		description = own
	}
	nested := func(attributes map[string]schema.Attribute) map[string]data.Attribute {
		derived := make(map[string]data.Attribute, len(attributes))
		for name, attribute := range attributes {
			derived[name] = readOnly(attribute, path+"."+name, descriptions)
		}
		return derived
	}
	switch a := attribute.(type) {
	case schema.StringAttribute:
		return data.StringAttribute{Computed: true, Description: description, CustomType: a.CustomType}
	case schema.BoolAttribute:
		return data.BoolAttribute{Computed: true, Description: description}
	case schema.Int64Attribute:
		return data.Int64Attribute{Computed: true, Description: description}
	case schema.ListAttribute:
		return data.ListAttribute{Computed: true, Description: description, ElementType: a.ElementType}
	case schema.MapAttribute:
		return data.MapAttribute{Computed: true, Description: description, ElementType: a.ElementType}
	case schema.SingleNestedAttribute:
		return data.SingleNestedAttribute{Computed: true, Description: description, Attributes: nested(a.Attributes)}
	case schema.ListNestedAttribute:
		return data.ListNestedAttribute{
			Computed: true, Description: description,
			NestedObject: data.NestedAttributeObject{Attributes: nested(a.NestedObject.Attributes)},
		}
	}
	panic(fmt.Sprintf("%s: no data source can be derived from a %T yet", path, attribute))
}
