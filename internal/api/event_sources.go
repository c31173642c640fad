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

// EventSources are the event sources of an event subscription. The type of an event
// source is its id.
var EventSources = &Objects[EventSource]{
	Kind:   newKind(Kind{Noun: "event source", Path: "/event_subscriptions/{subscription_id}/sources", ListField: "sources"}),
	parent: func(c *Client) parents { return EventSubscriptions.Of(c) },
	id:     func(o *EventSource) string { return o.Type },
}
