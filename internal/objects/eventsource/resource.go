// Package eventsource defines event sources, the event types that trigger an
// event subscription: tunnel_event_source.
package eventsource

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes event sources to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.EventSource]{
	Kind:        api.EventSources.Kind,
	Subcategory: "Events",
	Schema: schema.Schema{
		Description: "An event source. It adds an event type to an event subscription. Each event type can be added to a subscription only " +
			"once. " +
			"Creating the resource fails if the event source already exists: import it, unless another resource has the same arguments. " +
			"Two configurations must not manage the same event source, because deleting it in one deletes it for both.",
		Attributes: attributes,
	},
	Keys: []crud.Key[*model]{
		{Name: "subscription_id", Kind: api.EventSubscriptions.Kind, Parent: true, Of: subscriptionID},
		{
			Name: "type", Example: "ip_policy_created.v0", Description: "Event type, such as `ip_policy_created.v0`.",
			Of: eventType,
		},
	},
	Fill:       fill,
	Reading:    reading,
	Operations: operations(),
})

func operations() crud.Operations[*model, *api.EventSource] {
	o := crud.Membership(api.EventSources, create, subscriptionID, eventType)
	inOne := o.Lists
	inAll := crud.InParents(api.EventSubscriptions, items, nil, subscriptionID, eventType)
	o.List = func(ctx context.Context, client *api.Client, scope *model) iter.Seq2[crud.Item[*model, *api.EventSource], error] {
		if attribute.IsKnown(scope.SubscriptionID) {
			return inOne.List(ctx, client, scope)
		}
		return all(ctx, client)
	}
	o.Cached = func(ctx context.Context, client *api.Client, state *model) (*api.EventSource, bool) {
		if source, ok := inAll.Cached(ctx, client, state); ok {
			return source, true
		}
		return inOne.Cached(ctx, client, state)
	}
	return o
}

// items returns the sources of a subscription.
func items(s *api.EventSubscription) []crud.Item[*model, *api.EventSource] {
	items := make([]crud.Item[*model, *api.EventSource], len(s.Sources))
	for i := range s.Sources {
		items[i] = crud.Item[*model, *api.EventSource]{
			Model:  &model{SubscriptionID: types.StringValue(s.ID), Type: types.StringValue(s.Sources[i].Type)},
			Object: &s.Sources[i],
		}
	}
	return items
}

// all iterates over the sources of all subscriptions. It asks for those of a
// subscription that does not show any, because the contract does not say that
// it must.
func all(ctx context.Context, client *api.Client) iter.Seq2[crud.Item[*model, *api.EventSource], error] {
	subscriptions := api.EventSubscriptions.Of(client).List(ctx)
	return crud.Within(subscriptions, func(subscription *api.EventSubscription) ([]crud.Item[*model, *api.EventSource], error) {
		if subscription.Sources != nil {
			return items(subscription), nil
		}
		full := *subscription
		for source, err := range api.EventSources.Of(client, subscription.ID).List(ctx) {
			if err != nil {
				return nil, err
			}
			full.Sources = append(full.Sources, *source)
		}
		return items(&full), nil
	})
}

func subscriptionID(m *model) *types.String { return &m.SubscriptionID }

func eventType(m *model) *types.String { return &m.Type }

type model struct {
	SubscriptionID types.String `tfsdk:"subscription_id"`
	Type           types.String `tfsdk:"type"`
	URI            types.String `tfsdk:"uri"`
}

var attributes = map[string]schema.Attribute{
	"subscription_id": crud.Parent(api.EventSubscriptions.Kind),
	"type": schema.StringAttribute{
		Required: true,
		Description: "Event type with its version, such as `ip_policy_created.v0`. Known types: `http_request_complete.v0`, " +
			"`tcp_connection_closed.v0`, " +
			"`agent_session_start.v0`, `agent_session_stop.v0`, and `OBJECT_created.v0`, `OBJECT_updated.v0` and `OBJECT_deleted.v0`, where " +
			"`OBJECT` is one of `api_key`, `certificate_authority`, `domain`, `event_destination`, " +
			"`event_subscription`, `ip_policy`, `ip_policy_rule`, `ip_restriction`, `ssh_certificate_authority`, `ssh_host_certificate`, " +
			"`ssh_public_key`, " +
			"`ssh_user_certificate`, `tcp_address`, `tls_certificate` or `tunnel_credential`.\nChanging this forces a new resource to be created.",
		Validators:    attribute.EventType,
		PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
	},
	"uri": crud.Computed("URI of the event source."),
}

func create(_ *crud.Provider, plan, _ *model) api.EventSourceCreate {
	return api.EventSourceCreate{Type: plan.Type.ValueString()}
}

func fill(_ *crud.Provider, answer *api.EventSource, m *model) {
	m.Type = types.StringValue(answer.Type)
	m.URI = types.StringValue(string(answer.URI))
}
