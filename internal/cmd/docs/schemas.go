package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// address is the address under which tfplugindocs looks for a provider named tunnel.
const address = "registry.terraform.io/hashicorp/tunnel"

type object = map[string]any

// schemas returns all schemas of the provider. The descriptions have what the templates
// need besides: they have no other input.
func schemas(kinds []crud.Description) (object, error) {
	ctx := context.Background()
	server, err := providerserver.NewProtocol6WithError(provider.New("schemas")())()
	if err != nil {
		return nil, err
	}
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
	functions := object{}
	for name, f := range declared.Functions {
		more, err := pageOfFunction(kinds, name)
		if err != nil {
			return nil, err
		}
		functions[name] = signature(f, more)
	}
	graph, unmanaged := diagram(kinds)
	all := object{
		"provider": schema(declared.Provider, separator+graph+separator+unmanaged), "functions": functions,
		"resource_identity_schemas": each(identities.IdentitySchemas, identity),
	}
	for folder, group := range map[string]map[string]*tfprotov6.Schema{
		"resource": declared.ResourceSchemas, "data-source": declared.DataSourceSchemas, "list-resource": declared.ListResourceSchemas,
		"ephemeral-resource": declared.EphemeralResourceSchemas,
	} {
		all[strings.ReplaceAll(folder, "-", "_")+"_schemas"] = each(group, func(name string, s *tfprotov6.Schema) object {
			return schema(s, pageOfKind(kinds, declared.EphemeralResourceSchemas, folder+"s", name))
		})
	}
	all["action_schemas"] = each(declared.ActionSchemas, func(name string, s *tfprotov6.ActionSchema) object {
		return schema(s.Schema, pageOfAction(kinds, name))
	})
	return object{"format_version": "1.0", "provider_schemas": object{address: all}}, nil
}

func each[S any](from map[string]S, convert func(string, S) object) object {
	to := object{}
	for name, one := range from {
		to[name] = convert(name, one)
	}
	return to
}

func schema(s *tfprotov6.Schema, more string) object {
	block := described(object{"attributes": attributes(s.Block.Attributes)}, s.Block.Description+more, s.Block.DescriptionKind)
	return object{"version": s.Version, "block": block}
}

func attributes(all []*tfprotov6.SchemaAttribute) object {
	converted := object{}
	for _, a := range all {
		one := described(object{
			"deprecated": a.Deprecated, "required": a.Required, "optional": a.Optional, "computed": a.Computed, "sensitive": a.Sensitive,
			"write_only": a.WriteOnly,
		}, a.Description, a.DescriptionKind)
		if a.NestedType != nil {
			one["nested_type"] = object{
				"attributes": attributes(a.NestedType.Attributes), "nesting_mode": strings.ToLower(a.NestedType.Nesting.String()),
			}
		} else {
			one["type"] = a.Type
		}
		converted[a.Name] = one
	}
	return converted
}

// described adds a description to an object. It escapes characters that Markdown would
// interpret as emphasis or HTML in a plain text, outside of code spans.
func described(to object, description string, kind tfprotov6.StringKind) object {
	to["description"], to["description_kind"] = description, "markdown"
	if kind != tfprotov6.StringKindMarkdown {
		parts := strings.Split(description, "`")
		for i := 0; i < len(parts); i += 2 {
			parts[i] = markdown.Replace(parts[i])
		}
		to["description"], to["description_kind"] = strings.Join(parts, "`"), "plain"
	}
	return to
}

var markdown = strings.NewReplacer("*", `\*`, "<", `\<`)

func identity(_ string, s *tfprotov6.ResourceIdentitySchema) object {
	keys := object{}
	for _, a := range s.IdentityAttributes {
		keys[a.Name] = described(object{
			"type": a.Type, "required_for_import": a.RequiredForImport, "optional_for_import": a.OptionalForImport,
		}, a.Description, tfprotov6.StringKindPlain)
	}
	return object{"version": s.Version, "attributes": keys}
}

func signature(f *tfprotov6.Function, more string) object {
	parameter := func(p *tfprotov6.FunctionParameter) object {
		return described(object{"name": p.Name, "is_nullable": p.AllowNullValue, "type": p.Type}, p.Description, p.DescriptionKind)
	}
	converted := described(object{"summary": f.Summary, "return_type": f.Return.Type}, f.Description+more, f.DescriptionKind)
	var parameters []object
	for _, p := range f.Parameters {
		parameters = append(parameters, parameter(p))
	}
	converted["parameters"] = parameters
	if f.VariadicParameter != nil {
		converted["variadic_parameter"] = parameter(f.VariadicParameter)
	}
	return converted
}
