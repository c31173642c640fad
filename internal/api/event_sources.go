package api

// EventSource is a type of event that triggers an event subscription.
type EventSource struct {
	Type string `json:"type"` // such as ip_policy_created.v0
	URI  Info   `json:"uri"`
}

// EventSourceCreate is the body that adds an event source.
type EventSourceCreate struct {
	Type string `json:"type"`
}

// EventSourceUpdate is empty: no field of an event source can change.
type EventSourceUpdate struct{}

// EventSourceKind names event sources.
var EventSourceKind = newKind(Kind{Noun: "event source", Path: "/event_subscriptions/{subscription_id}/sources", ListField: "sources"})

var eventSources = &kind[EventSource]{
	Kind:   EventSourceKind,
	parent: func(c *Client) parents { return EventSubscriptions(c) },
	id:     func(o *EventSource) string { return o.Type },
}

// EventSources returns the event sources of an event subscription. The type of an
// event source is its id.
func EventSources(c *Client, subscriptionID string) *Collection[EventSource] {
	return collection(c, eventSources, subscriptionID)
}
