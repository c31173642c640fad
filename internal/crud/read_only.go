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
func (k *Kind[M, T]) dataAttributes() map[string]data.Attribute {
	attributes := map[string]data.Attribute{}
	descriptions := map[string]string{
		"description": "Human-readable description of the " + k.Noun + ". Null if unset.",
		"metadata":    "Arbitrary user-defined metadata, usually JSON that can be decoded with `jsondecode`. Null if unset.",
	}
	for _, key := range k.Keys {
		if key.Kind != nil && key.Kind != k.Kind {
			descriptions[key.Name] = key.Description
		}
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
// it is the resource's without the sentences about setting the attribute.
func readOnly(attribute schema.Attribute, path string, descriptions map[string]string) data.Attribute {
	description := withoutArguments(attribute.GetDescription())
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
	case schema.SetAttribute:
		return data.SetAttribute{Computed: true, Description: description, ElementType: a.ElementType}
	case schema.MapAttribute:
		return data.MapAttribute{Computed: true, Description: description, ElementType: a.ElementType}
	case schema.SingleNestedAttribute:
		return data.SingleNestedAttribute{Computed: true, Description: description, Attributes: nested(a.Attributes)}
	case schema.ListNestedAttribute:
		return data.ListNestedAttribute{
			Computed: true, Description: description,
			NestedObject: data.NestedAttributeObject{Attributes: nested(a.NestedObject.Attributes)},
		}
	case schema.SetNestedAttribute:
		return data.SetNestedAttribute{
			Computed: true, Description: description,
			NestedObject: data.NestedAttributeObject{Attributes: nested(a.NestedObject.Attributes)},
		}
	}
	panic(fmt.Sprintf("%s: no data source can be derived from a %T yet", path, attribute))
}

// withoutArguments removes from a description the sentences about setting and
// changing an attribute.
func withoutArguments(description string) string {
	sentences := slices.DeleteFunc(strings.SplitAfter(description, ". "), func(sentence string) bool {
		return slices.ContainsFunc(
			[]string{"Can be updated", "Changing ", "Defaults to", "Conflicts with", "Must ", "The plan warns", "Exactly one"},
			func(start string) bool { return strings.HasPrefix(sentence, start) },
		)
	})
	return strings.TrimSpace(strings.Join(sentences, ""))
}
