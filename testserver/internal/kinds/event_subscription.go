package kinds

import (
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// eventSubscription is an event subscription. Event sources belong to it.
type eventSubscription struct {
	common
	DestinationIDs []string `json:"destination_ids"`
}

func (s *eventSubscription) Refers() []string { return s.DestinationIDs }

const eventSubscriptionTable store.TableOf[*eventSubscription] = "event_subscriptions"

func eventSubscriptions(s *Service) engine.Collection[*eventSubscription] {
	return engine.Collection[*eventSubscription]{
		Path:   "/event_subscriptions",
		Prefix: "esb_",
		Field:  "event_subscriptions",
		Noun:   "event subscription",
		Table:  eventSubscriptionTable.In(s.store),
		Refers: []string{"/event_destinations"},
		Create: func(c *engine.Call, in *body.Object) (*eventSubscription, error) {
			subscription := &eventSubscription{common: newCommon(c, in), DestinationIDs: s.readDestinations(in)}
			s.replaceSources(c, in, subscription.ID)
			return subscription, nil
		},
		Update: func(c *engine.Call, old *eventSubscription, in *body.Object) *eventSubscription {
			s.replaceSources(c, in, old.ID)
			return &eventSubscription{common: old.updated(in), DestinationIDs: orExistingList(s.readDestinations(in), old.DestinationIDs)}
		},
		Remove: func(c *engine.Call, old *eventSubscription) { eventSources(s).RemoveAll(c, old.ID) },
		View: func(c *engine.Call, uri string, subscription *eventSubscription) any {
			destinations := referencesTo(c, "/event_destinations", subscription.DestinationIDs)
			return struct {
				URI string `json:"uri"`
				common
				Sources      []any       `json:"sources"`
				Destinations []reference `json:"destinations"`
			}{uri, subscription.common, eventSources(s).ShowAll(c, subscription.ID), destinations}
		},
	}
}

// readDestinations reads the ids of existing event destinations. It returns nil if
// the request omits them.
func (s *Service) readDestinations(in *body.Object) []string {
	ids := in.References("destination_ids", "destinations")
	for i, id := range ids {
		_, exists := eventDestinationTable.In(s.store).Get(id)
		in.Rule(exists, body.Element("destination_ids", i), "event destination %s does not exist", problem.Printable(id))
	}
	return ids
}

// replaceSources replaces the sources of a subscription with those of a
// request. Sources in both keep their position.
func (s *Service) replaceSources(c *engine.Call, in *body.Object, subscription string) {
	given := in.NestedList("sources")
	if given == nil {
		return
	}
	wanted := map[string]bool{}
	for _, fields := range given {
		source := newEventSource(c, fields, subscription)
		if wanted[source.Type] {
			fields.Refuse("type", "duplicate event type %s", source.Type)
		}
		wanted[source.Type] = true
		fields.RefuseUnknown()
		if _, exists := eventSourceTable.In(s.store).Get(source.Key()); !exists {
			eventSourceTable.In(s.store).Put(c.Tx, source)
		}
	}
	for _, source := range eventSourceTable.In(s.store).Under(subscription, store.Present) {
		if !wanted[source.Type] {
			eventSourceTable.In(s.store).Remove(c.Tx, source.Key())
		}
	}
}
