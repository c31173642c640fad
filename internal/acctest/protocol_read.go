package acctest

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// DataSource reads a data source. The test fails on errors. Missing arguments are null.
func (p *Protocol) DataSource(name string, arguments map[string]tftypes.Value) tftypes.Value {
	p.t.Helper()
	value, diagnostics := p.TryDataSource(name, arguments)
	p.Must(diagnostics)
	return value
}

// TryDataSource is like DataSource, but returns the diagnostics.
func (p *Protocol) TryDataSource(name string, arguments map[string]tftypes.Value) (tftypes.Value, []*tfprotov6.Diagnostic) {
	p.t.Helper()
	of := p.Schema.DataSourceSchemas[name].ValueType()
	resp, err := p.ReadDataSource(p.t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: name, Config: p.Dynamic(Object(of, arguments))})
	if err != nil {
		p.t.Fatal(err)
	}
	if resp.State == nil {
		return tftypes.NewValue(of, nil), resp.Diagnostics
	}
	return p.Value(of, resp.State), resp.Diagnostics
}

// Listed is one result of a list resource.
type Listed struct {
	Name     string
	Identity *tfprotov6.ResourceIdentityData
	// Keys are the attributes of the identity.
	Keys map[string]string
	// Resource is the complete object.
	Resource tftypes.Value
	Warnings []*tfprotov6.Diagnostic
}

// List lists resources. limit is the maximum number of results, and 0 means no
// limit. The test fails on errors. Missing arguments are null.
func (p *Protocol) List(resource string, limit int64, arguments map[string]tftypes.Value) []Listed {
	p.t.Helper()
	listed, diagnostics := p.TryList(resource, limit, arguments)
	p.Must(diagnostics)
	return listed
}

// TryList is like List, but returns the diagnostics and the results before the
// first error.
func (p *Protocol) TryList(resource string, limit int64, arguments map[string]tftypes.Value) ([]Listed, []*tfprotov6.Diagnostic) {
	p.t.Helper()
	config := p.Dynamic(Object(p.Schema.ListResourceSchemas[resource].ValueType(), arguments))
	lists, ok := p.ProviderServer.(tfprotov6.ListResourceServer)
	if !ok {
		p.t.Fatal("the provider has no lists")
	}
	valid, err := lists.ValidateListResourceConfig(
		p.t.Context(), &tfprotov6.ValidateListResourceConfigRequest{TypeName: resource, Config: config},
	)
	if err != nil {
		p.t.Fatal(err)
	}
	if len(valid.Diagnostics) > 0 {
		return nil, valid.Diagnostics
	}
	stream, err := lists.ListResource(
		p.t.Context(), &tfprotov6.ListResourceRequest{TypeName: resource, Config: config, IncludeResource: true, Limit: limit},
	)
	if err != nil {
		p.t.Fatal(err)
	}
	var listed []Listed
	for result := range stream.Results {
		if result.Identity == nil {
			return listed, result.Diagnostics
		}
		listed = append(listed, Listed{
			Name: result.DisplayName, Identity: result.Identity, Keys: p.keys(resource, result.Identity),
			Resource: p.Value(p.Type(resource), result.Resource), Warnings: result.Diagnostics,
		})
	}
	return listed, nil
}

// Attributes returns the attributes of an object.
func (p *Protocol) Attributes(object tftypes.Value) map[string]tftypes.Value {
	p.t.Helper()
	var attributes map[string]tftypes.Value
	if err := object.As(&attributes); err != nil {
		p.t.Fatal(err)
	}
	return attributes
}

// Elements returns the elements of a list attribute.
func (p *Protocol) Elements(object tftypes.Value, name string) []tftypes.Value {
	p.t.Helper()
	var elements []tftypes.Value
	if err := p.Attributes(object)[name].As(&elements); err != nil {
		p.t.Fatal(err)
	}
	return elements
}

// PlansNoChange checks that the configurations that Terraform generates for an existing
// object plan no change. It tests the generation before and since Terraform 1.14.
func (p *Protocol) PlansNoChange(resource string, state tftypes.Value) {
	p.t.Helper()
	generated := p.Generated(resource, state)
	p.Must(p.Validate(resource, p.Attributes(generated)))
	kept := p.Kept(resource, state)
	for _, plan := range []*tfprotov6.PlanResourceChangeResponse{p.Plan(resource, state, kept), p.Plan(resource, state, generated)} {
		p.Must(plan.Diagnostics)
		if planned := p.Value(p.Type(resource), plan.PlannedState); !planned.Equal(state) || len(plan.RequiresReplace) > 0 {
			diff, _ := state.Diff(planned)
			p.t.Errorf("%s: planned %v, replaced for %v", resource, diff, plan.RequiresReplace)
		}
	}
}

// Call calls a function of the provider. If the function returns an error, the
// value is null.
func (p *Protocol) Call(name string, arguments ...tftypes.Value) (tftypes.Value, *tfprotov6.FunctionError) {
	p.t.Helper()
	req := &tfprotov6.CallFunctionRequest{Name: name}
	definition := p.Schema.Functions[name]
	for i, argument := range arguments {
		parameter := definition.VariadicParameter
		if i < len(definition.Parameters) {
			parameter = definition.Parameters[i]
		}
		encoded, err := tfprotov6.NewDynamicValue(parameter.Type, argument)
		if err != nil {
			p.t.Fatal(err)
		}
		req.Arguments = append(req.Arguments, &encoded)
	}
	resp, err := p.CallFunction(p.t.Context(), req)
	if err != nil {
		p.t.Fatal(err)
	}
	of := definition.Return.Type
	if resp.Error != nil || resp.Result == nil {
		return tftypes.NewValue(of, nil), resp.Error
	}
	return p.Value(of, resp.Result), nil
}
