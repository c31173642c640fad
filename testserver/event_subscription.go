package testserver

// eventSubscription is the parent of event sources.
type eventSubscription struct {
	common
}

func (s *Server) eventSubscriptions() collection[*eventSubscription] {
	return collection[*eventSubscription]{
		path:   "/event_subscriptions",
		field:  "event_subscriptions",
		noun:   "event subscription",
		table:  s.data.eventSubscriptions,
		create: s.newEventSubscription,
		change: func(_ *call, old *eventSubscription, in *object) (*eventSubscription, error) {
			return &eventSubscription{common: old.changed(in)}, in.end()
		},
		remove: func(c *call, old *eventSubscription) error {
			for _, source := range s.data.eventSources.under(old.ID, present) {
				s.data.eventSources.remove(c.tx, source.key())
			}
			return nil
		},
		view: func(c *call, uri string, subscription *eventSubscription) any {
			return struct {
				URI string `json:"uri"`
				common
				Sources []eventSourceView `json:"sources"`
			}{uri, subscription.common, s.showEventSources(c, subscription.ID, present)}
		},
	}
}

// newEventSubscription makes a subscription together with its first event sources.
func (s *Server) newEventSubscription(c *call, in *object) (*eventSubscription, error) {
	subscription := &eventSubscription{common: newCommon(c, in, "esb_")}
	seen := map[string]bool{}
	for _, fields := range in.objects("sources") {
		source := &eventSource{Subscription: subscription.ID, Type: fields.need("type"), CreatedAt: subscription.CreatedAt}
		checkEventType(fields, source.Type)
		if seen[source.Type] {
			fields.refuse("type", "the event type %s is listed twice", source.Type)
		}
		seen[source.Type] = true
		fields.refuseUnknown()
		s.data.eventSources.put(c.tx, source)
	}
	return subscription, in.end()
}
