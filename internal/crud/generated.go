package crud

// This file keeps a promise: generated configuration has nothing that the
// service would choose anyway.

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Generated returns the state of an imported object without the values that the
// service would choose anyway: those that equal the schema's defaults, and
// those that the kind omits. Terraform generates configuration from the result.
func (r *kindResource) Generated(ctx context.Context, state tftypes.Value) (tftypes.Value, error) {
	if r.kind.Generated != nil {
		model := r.kind.newModel()
		diags := r.decode(ctx, state, model)
		if !diags.HasError() {
			r.kind.Generated(model)
			diags.Append(r.encode(ctx, model, &state)...)
		}
		if diags.HasError() {
			return state, errors.New(diags.Errors()[0].Detail())
		}
	}
	return tftypes.Transform(state, func(path *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		steps := path.Steps()
		if len(steps) != 1 {
			return value, nil
		}
		name, _ := steps[0].(tftypes.AttributeName)
		otherwise := defaultOf(ctx, r.kind.Schema.Attributes[string(name)])
		if otherwise == nil {
			return value, nil
		}
		same, err := otherwise.ToTerraformValue(ctx)
		if err != nil || !same.Equal(value) {
			return value, err
		}
		return tftypes.NewValue(value.Type(), nil), nil
	})
}

// defaultOf returns the default of an attribute, nil if it has none.
func defaultOf(ctx context.Context, attribute schema.Attribute) attr.Value {
	switch a := attribute.(type) {
	case schema.StringAttribute:
		if a.Default != nil {
			var resp defaults.StringResponse
			a.Default.DefaultString(ctx, defaults.StringRequest{}, &resp)
			return resp.PlanValue
		}
	case schema.BoolAttribute:
		if a.Default != nil {
			var resp defaults.BoolResponse
			a.Default.DefaultBool(ctx, defaults.BoolRequest{}, &resp)
			return resp.PlanValue
		}
	case schema.Int64Attribute:
		if a.Default != nil {
			var resp defaults.Int64Response
			a.Default.DefaultInt64(ctx, defaults.Int64Request{}, &resp)
			return resp.PlanValue
		}
	case interface{ ListDefaultValue() defaults.List }: // of values or of objects
		if list := a.ListDefaultValue(); list != nil {
			var resp defaults.ListResponse
			list.DefaultList(ctx, defaults.ListRequest{}, &resp)
			return resp.PlanValue
		}
	case schema.MapAttribute:
		if a.Default != nil {
			var resp defaults.MapResponse
			a.Default.DefaultMap(ctx, defaults.MapRequest{}, &resp)
			return resp.PlanValue
		}
	}
	return nil
}
