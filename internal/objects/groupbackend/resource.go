// Package groupbackend defines backends that send traffic to all tunnels with
// certain labels: tunnel_group_backend.
package groupbackend

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes tunnel group backends to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.GroupBackend]{
	Kind:        api.GroupBackends.Kind,
	Subcategory: "Backends",
	Schema: schema.Schema{
		Description: "A tunnel group backend. It balances traffic across all tunnels that have its labels. " +
			"A tunnel gets its labels from the agent or the SSH client " +
			"that starts it, not from Terraform. " + crud.ReplaceInUse("a backend"),
		Attributes: crud.ObjectAttributes(api.GroupBackends.Kind, attributes),
	},
	Keys:       crud.ObjectKey[model](api.GroupBackends.Kind),
	OtherTypes: []string{"tunnel_group_backend"},
	Fill:       fill,
	Reading:    reading,
	Plan:       plan,
	Operations: crud.Collection(api.GroupBackends, crud.CreateWith(body), body),
})

type model struct {
	crud.Object
	Labels  types.Map  `tfsdk:"labels"`
	Tunnels types.List `tfsdk:"tunnels"`
}

var attributes = map[string]schema.Attribute{
	"labels": schema.MapAttribute{
		ElementType: types.StringType,
		Required:    true,
		Description: "Labels that a tunnel must have to receive traffic.\nFor example `{ env = \"prod\" }`. " +
			"Keys and values must not contain `=`. Can be updated in place. Changing it to `{}` forces a new resource to be created. " +
			"The API documentation does not say which tunnels `{}` selects.",
		Validators: []validator.Map{
			attribute.NoNulls, mapvalidator.KeysAre(labelKey, withoutEqualsSign), mapvalidator.ValueStringsAre(withoutEqualsSign),
		},
		PlanModifiers: []planmodifier.Map{mapplanmodifier.RequiresReplaceIf(cleared, clearedForces, clearedForces)},
	},
	"tunnels": schema.ListNestedAttribute{
		Computed:    true,
		Description: "Tunnels that currently match the labels. Changes when tunnels start and stop.",
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"id":  schema.StringAttribute{Computed: true, Description: "ID of the tunnel, such as `tn_2abc`."},
			"uri": schema.StringAttribute{Computed: true, Description: "URI of the tunnel in the API."},
		}},
	},
}

var labelKey = attribute.Limit("a key that is not empty", func(text string) error {
	if text == "" {
		return errors.New("must have a key that is not empty, such as { env = \"prod\" }")
	}
	return nil
})

var withoutEqualsSign = attribute.Limit("no equals sign", func(text string) error {
	if strings.Contains(text, "=") {
		return errors.New("must not contain an equals sign. Set key and value separately, such as { env = \"prod\" }")
	}
	return nil
})

const clearedForces = "The service cannot remove all labels in place."

func cleared(_ context.Context, req planmodifier.MapRequest, resp *mapplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = attribute.IsKnown(req.PlanValue) && len(req.PlanValue.Elements()) == 0 && len(req.StateValue.Elements()) > 0
}

func body(plan *model) api.GroupBackendBody {
	return api.GroupBackendBody{Details: plan.Details(), Labels: attribute.StringMap(plan.Labels)}
}

func fill(_ *crud.Provider, answer *api.GroupBackend, m *model) {
	m.Object.Fill(&answer.Object)
	m.Labels = attribute.MapOf(answer.Labels)
	m.Tunnels = tunnels(answer.Tunnels)
}

// plan keeps the known tunnels if the labels that select them do not change.
func plan(_ context.Context, p *crud.Planning[*model]) {
	if p.State != nil && p.Plan.Labels.Equal(p.State.Labels) {
		p.Plan.Tunnels = p.State.Tunnels
	}
}

var tunnelType = types.ObjectType{AttrTypes: map[string]attr.Type{"id": types.StringType, "uri": types.StringType}}

func tunnels(refs []api.Ref) types.List {
	distinct := slices.Compact(
		slices.SortedFunc(slices.Values(refs), func(a, b api.Ref) int { return strings.Compare(a.ID+string(a.URI), b.ID+string(b.URI)) }),
	)
	elements := make([]attr.Value, len(distinct))
	for i, ref := range distinct {
		elements[i] = types.ObjectValueMust(tunnelType.AttrTypes, map[string]attr.Value{
			"id": types.StringValue(ref.ID), "uri": types.StringValue(string(ref.URI)),
		})
	}
	return types.ListValueMust(tunnelType, elements)
}
