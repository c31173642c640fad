package api

// EventSource is a type of event that triggers an event subscription.
type EventSource struct {
	Type string `json:"type"` // such as ip_policy_created.v0
	URI  string `json:"uri"`
}

// EventSourceCreate is the body that adds an event source.
type EventSourceCreate struct {
	Type string `json:"type"`
}

// EventSourceUpdate is empty: no field of an event source can change.
type EventSourceUpdate struct{}

// EventSources is the collection at
// /event_subscriptions/{subscription_id}/sources. The type of an event source
// is its id.
type EventSources = Collection[EventSource, EventSourceCreate, EventSourceUpdate]

var eventSources = describe(kind[EventSource, EventSourceCreate]{
	noun: "event source", path: "/event_subscriptions/{subscription_id}/sources", list: "sources",
	id:        func(o *EventSource) string { return o.Type },
	same:      func(sent *EventSourceCreate, o *EventSource) bool { return sent.Type == o.Type },
	conflicts: func(sent *EventSourceCreate, o *EventSource) bool { return sent.Type == o.Type },
})

// EventSources returns the event sources of an event subscription.
func (c *Client) EventSources(subscriptionID string) *EventSources {
	return collection[EventSource, EventSourceCreate, EventSourceUpdate](c, eventSources, subscriptionID)
}
