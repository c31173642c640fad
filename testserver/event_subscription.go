package testserver

// eventSubscription is an event subscription. Event sources belong to it.
type eventSubscription struct {
	common
	DestinationIDs []string `json:"destination_ids"` // any valid id, because the server has no event destinations
}

const eventSubscriptionTable tableOf[*eventSubscription] = "event_subscriptions"

func (s *service) eventSubscriptions() collection[*eventSubscription] {
	return collection[*eventSubscription]{
		path:   "/event_subscriptions",
		prefix: "esb_",
		field:  "event_subscriptions",
		noun:   "event subscription",
		table:  eventSubscriptionTable.in(s.store),
		create: func(c *call, in *object) (*eventSubscription, error) {
			subscription := &eventSubscription{common: newCommon(c, in), DestinationIDs: destinations(in)}
			s.replaceSources(c, in, subscription.ID)
			return subscription, nil
		},
		update: func(c *call, old *eventSubscription, in *object) *eventSubscription {
			s.replaceSources(c, in, old.ID)
			return &eventSubscription{common: old.updated(in), DestinationIDs: orExistingList(destinations(in), old.DestinationIDs)}
		},
		remove: func(c *call, old *eventSubscription) { s.eventSources().removeAll(c, old.ID) },
		view: func(c *call, uri string, subscription *eventSubscription) any {
			destinations := []reference{}
			for _, id := range subscription.DestinationIDs {
				destinations = append(destinations, reference{id, c.base() + "/event_destinations/" + id})
			}
			return struct {
				URI string `json:"uri"`
				common
				Sources      []any       `json:"sources"`
				Destinations []reference `json:"destinations"`
			}{uri, subscription.common, s.eventSources().showAll(c, subscription.ID), destinations}
		},
	}
}

func destinations(in *object) []string {
	ids := in.texts("destination_ids")
	for i, id := range ids {
		if !validID(id) {
			in.refuse(element("destination_ids", i), "invalid id %s: expected letters, digits and the characters _ . -", printable(id))
		}
	}
	return ids
}

// replaceSources replaces the sources of a subscription with those of a
// request. Sources in both keep their position.
func (s *service) replaceSources(c *call, in *object, subscription string) {
	given := in.objects("sources")
	if given == nil {
		return
	}
	wanted := map[string]bool{}
	for _, fields := range given {
		source := newEventSource(c, fields, subscription)
		if wanted[source.Type] {
			fields.refuse("type", "duplicate event type %s", source.Type)
		}
		wanted[source.Type] = true
		fields.refuseUnknown()
		if _, exists := eventSourceTable.in(s.store).get(source.key()); !exists {
			eventSourceTable.in(s.store).put(c.tx, source)
		}
	}
	for _, source := range eventSourceTable.in(s.store).under(subscription, present) {
		if !wanted[source.Type] {
			eventSourceTable.in(s.store).remove(c.tx, source.key())
		}
	}
}
