// Package eventsubscription defines event subscriptions, which send events to
// destinations: tunnel_event_subscription.
package eventsubscription

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes event subscriptions to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.EventSubscription]{
	Kind:        api.EventSubscriptions.Kind,
	Subcategory: "Events",
	Schema: schema.Schema{
		Description: "An event subscription. It sends events to event destinations. Add event types with `tunnel_event_source` resources. " +
			"Deleting the subscription deletes its event sources.",
		Attributes: crud.ObjectAttributes(api.EventSubscriptions.Kind, attributes),
	},
	Keys: crud.ObjectKey[model](api.EventSubscriptions.Kind),
	References: []crud.Reference[*model]{
		{
			Attribute: "destination_ids",
			To:        []*api.Kind{api.EventDestinations.Kind},
			Of:        func(m *model) []string { return attribute.Strings(m.DestinationIDs) },
		},
	},
	Fill:       fill,
	Reading:    reading,
	Operations: crud.Collection(api.EventSubscriptions, crud.CreateWith(body), body),
})

type model struct {
	crud.Object
	DestinationIDs types.List `tfsdk:"destination_ids"`
}

var attributes = map[string]schema.Attribute{
	"destination_ids": schema.ListAttribute{
		ElementType: attribute.TextType{},
		Optional:    true,
		Description: "IDs of the event destinations, such as `" + api.EventDestinations.Example() + "`. The order has no meaning." +
			"\nDefaults to none: events are then not delivered. Can be updated in place.",
		Validators:    []validator.List{attribute.NoNulls, listvalidator.ValueStringsAre(crud.ID(api.EventDestinations.Kind)...)},
		PlanModifiers: []planmodifier.List{attribute.TextType{}.KeepElements()},
	},
}

func body(plan *model) api.EventSubscriptionBody {
	ids := attribute.TextType{}.Distinct(attribute.Strings(plan.DestinationIDs))
	return api.EventSubscriptionBody{Details: plan.Details(), DestinationIDs: ids}
}

func fill(_ *crud.Provider, answer *api.EventSubscription, m *model) {
	m.Object.Fill(&answer.Object)
	m.DestinationIDs = attribute.TextType{}.Fill(m.DestinationIDs, answer.Destinations)
}
