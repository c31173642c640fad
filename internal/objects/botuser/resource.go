// Package botuser defines account members that are no people: tunnel_bot_user.
package botuser

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes bot users to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.BotUser]{
	Kind:        api.BotUsers.Kind,
	Subcategory: "Access",
	Schema: schema.Schema{
		Description: "A bot user: an account member that is not a person, such as a CI pipeline. It can own SSH credentials and API keys. " +
			"Removing `owner_id` from them does not change their owner. Before you delete a bot user, delete its SSH credentials and API keys, " +
			"or replace them with another `owner_id`. " +
			"The API documentation does not describe bot users: this resource matches public services of this kind.",
		Attributes: crud.IdentifiedAttributes(api.BotUsers.Kind, map[string]schema.Attribute{
			"name": schema.StringAttribute{
				Required:      true,
				Description:   "Name of the bot user.\nThe plan warns above 255 bytes of UTF-8. Can be updated in place.",
				Validators:    []validator.String{attribute.NotEmpty, attribute.UsuallyMaxBytes(255)},
				PlanModifiers: []planmodifier.String{attribute.KeepGenerated},
			},
			"active": crud.DefaultTrue("Whether the bot user can use its credentials and API keys.\nDefaults to `true`. Can be updated in place."),
		}),
	},
	Keys: crud.ObjectKey[model](api.BotUsers.Kind), OtherTypes: []string{"service_user"},
	InUse: "An SSH credential or API key keeps its owner, also if owner_id is removed from the configuration. Delete them first, or " +
		"replace them: set another owner_id and apply. Then delete the bot user in the next apply.",
	Fill: fill,
	Reading: crud.Reading[*model, *api.BotUser]{
		Description: "Reads a bot user: an account member that is not a person. It can own SSH credentials and API keys.",
		Filters:     []crud.Filter{crud.EqualFilter("name", "Returns the bot users with this name.", name)},
		Name:        name,
	},
	Operations: crud.Collection(api.BotUsers, crud.CreateWith(body), body),
})

type model struct {
	crud.Identified
	Name   types.String `tfsdk:"name"`
	Active types.Bool   `tfsdk:"active"`
}

func name(o *api.BotUser) string { return o.Name }

func body(plan *model) api.BotUserBody {
	return api.BotUserBody{Name: plan.Name.ValueString(), Active: plan.Active.ValueBool()}
}

func fill(_ *crud.Provider, answer *api.BotUser, m *model) {
	m.Identified.Fill(&answer.Identified)
	m.Name = types.StringValue(answer.Name)
	m.Active = crud.EnabledOf(answer.Active)
}
