package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// address is the address under which tfplugindocs looks for a provider named
// tunnel.
const address = "registry.terraform.io/hashicorp/tunnel"

// schemas returns all schemas of a provider.
func schemas(ctx context.Context, server tfprotov6.ProviderServer) (*tfjson.ProviderSchemas, error) {
	declared, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, err
	}
	for _, d := range append(declared.Diagnostics, identities.Diagnostics...) {
		return nil, fmt.Errorf("%s: %s", d.Summary, d.Detail)
	}
	return &tfjson.ProviderSchemas{
		FormatVersion: "1.0",
		Schemas: map[string]*tfjson.ProviderSchema{address: {
			ConfigSchema:            schema(declared.Provider),
			ResourceSchemas:         each(declared.ResourceSchemas, schema),
			DataSourceSchemas:       each(declared.DataSourceSchemas, schema),
			ListResourceSchemas:     each(declared.ListResourceSchemas, schema),
			Functions:               each(declared.Functions, signature),
			ResourceIdentitySchemas: each(identities.IdentitySchemas, identity),
		}},
	}, nil
}

func each[A, B any](from map[string]A, convert func(A) B) map[string]B {
	to := make(map[string]B, len(from))
	for name, value := range from {
		to[name] = convert(value)
	}
	return to
}

func schema(s *tfprotov6.Schema) *tfjson.Schema {
	return &tfjson.Schema{Version: uint64(s.Version), Block: &tfjson.SchemaBlock{ //nolint:gosec // versions are not negative
		Attributes:      attributes(s.Block.Attributes),
		Description:     text(s.Block.Description, s.Block.DescriptionKind),
		DescriptionKind: kind(s.Block.DescriptionKind),
	}}
}

func attributes(all []*tfprotov6.SchemaAttribute) map[string]*tfjson.SchemaAttribute {
	converted := make(map[string]*tfjson.SchemaAttribute, len(all))
	for _, a := range all {
		attribute := &tfjson.SchemaAttribute{
			Description: text(a.Description, a.DescriptionKind), DescriptionKind: kind(a.DescriptionKind), Deprecated: a.Deprecated,
			Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly,
		}
		if a.NestedType != nil {
			attribute.AttributeNestedType = &tfjson.SchemaNestedAttributeType{
				Attributes:  attributes(a.NestedType.Attributes),
				NestingMode: nesting[a.NestedType.Nesting],
			}
		} else {
			attribute.AttributeType = typeOf(a.Type)
		}
		converted[a.Name] = attribute
	}
	return converted
}

var nesting = map[tfprotov6.SchemaObjectNestingMode]tfjson.SchemaNestingMode{
	tfprotov6.SchemaObjectNestingModeSingle: tfjson.SchemaNestingModeSingle,
	tfprotov6.SchemaObjectNestingModeList:   tfjson.SchemaNestingModeList,
	tfprotov6.SchemaObjectNestingModeSet:    tfjson.SchemaNestingModeSet,
	tfprotov6.SchemaObjectNestingModeMap:    tfjson.SchemaNestingModeMap,
}

func kind(k tfprotov6.StringKind) tfjson.SchemaDescriptionKind {
	if k == tfprotov6.StringKindMarkdown {
		return tfjson.SchemaDescriptionKindMarkdown
	}
	return tfjson.SchemaDescriptionKindPlain
}

// text escapes characters of a plain-text description that Markdown would
// interpret as emphasis or HTML. It does not change code spans and descriptions
// in Markdown.
func text(description string, k tfprotov6.StringKind) string {
	if k == tfprotov6.StringKindMarkdown {
		return description
	}
	parts := strings.Split(description, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = markdown.Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

var markdown = strings.NewReplacer("*", `\*`, "<", `\<`)

func identity(s *tfprotov6.ResourceIdentitySchema) *tfjson.IdentitySchema {
	converted := &tfjson.IdentitySchema{
		Version:    uint64(s.Version),
		Attributes: map[string]*tfjson.IdentityAttribute{},
	} //nolint:gosec // versions are not negative
	for _, a := range s.IdentityAttributes {
		converted.Attributes[a.Name] = &tfjson.IdentityAttribute{
			IdentityType:      typeOf(a.Type),
			Description:       text(a.Description, tfprotov6.StringKindPlain),
			RequiredForImport: a.RequiredForImport,
			OptionalForImport: a.OptionalForImport,
		}
	}
	return converted
}

func signature(f *tfprotov6.Function) *tfjson.FunctionSignature {
	converted := &tfjson.FunctionSignature{
		Description: text(f.Description, f.DescriptionKind),
		Summary:     f.Summary,
		ReturnType:  typeOf(f.Return.Type),
	}
	parameter := func(p *tfprotov6.FunctionParameter) *tfjson.FunctionParameter {
		return &tfjson.FunctionParameter{
			Name:        p.Name,
			Description: text(p.Description, p.DescriptionKind),
			IsNullable:  p.AllowNullValue,
			Type:        typeOf(p.Type),
		}
	}
	for _, p := range f.Parameters {
		converted.Parameters = append(converted.Parameters, parameter(p))
	}
	if f.VariadicParameter != nil {
		converted.VariadicParameter = parameter(f.VariadicParameter)
	}
	return converted
}

// typeOf converts a type by its JSON notation, which both packages share.
func typeOf(t tftypes.Type) cty.Type {
	notation, err := json.Marshal(t)
	if err != nil {
		panic(err) // every type in a schema has a JSON notation
	}
	var converted cty.Type
	if err := json.Unmarshal(notation, &converted); err != nil {
		panic(err)
	}
	return converted
}
