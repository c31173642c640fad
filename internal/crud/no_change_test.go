package crud

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

type actingWithoutDifference struct{}

func (actingWithoutDifference) Description(context.Context) string         { return "" }
func (actingWithoutDifference) MarkdownDescription(context.Context) string { return "" }
func (actingWithoutDifference) PlanModifyString(context.Context, planmodifier.StringRequest, *planmodifier.StringResponse) {
}

func TestPlansNoChange_onlyIfNothingCanAct(t *testing.T) {
	t.Parallel()
	modified := func(modifiers ...planmodifier.String) schema.Attribute {
		return schema.StringAttribute{Optional: true, PlanModifiers: modifiers}
	}
	for name, test := range map[string]struct {
		attribute schema.Attribute
		plan      func(context.Context, *Planning[any])
		want      bool
	}{
		"nothing":                   {schema.StringAttribute{Optional: true}, nil, true},
		"state for unknown":         {modified(stringplanmodifier.UseStateForUnknown()), nil, true},
		"replacement":               {modified(stringplanmodifier.RequiresReplace()), nil, true},
		"replacement of configured": {modified(stringplanmodifier.RequiresReplaceIfConfigured()), nil, true},
		"same by meaning":           {modified(attribute.TimestampType{}.KeepSame()), nil, true},
		"default":                   {schema.BoolAttribute{Optional: true, Computed: true, Default: booldefault.StaticBool(true)}, nil, false},
		"a modifier of its own":     {modified(actingWithoutDifference{}), nil, false},
		"one of two":                {modified(stringplanmodifier.RequiresReplace(), actingWithoutDifference{}), nil, false},
		"nested":                    {schema.SingleNestedAttribute{Optional: true}, nil, false},
		"a rule for plans":          {schema.StringAttribute{Optional: true}, func(context.Context, *Planning[any]) {}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &managed[any, any]{service: service[any, any]{kind: &Kind[any, any]{
				Schema: schema.Schema{Attributes: map[string]schema.Attribute{"a": test.attribute}}, Plan: test.plan,
			}}}
			if got := r.PlansNoChange(); got != test.want {
				t.Errorf("got %t, want %t", got, test.want)
			}
		})
	}
}
