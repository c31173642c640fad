package api

// EventSource is a type of event that triggers an event subscription.
type EventSource struct {
	Type string `json:"type"` // such as ip_policy_created.v0
	URI  string `json:"uri"`
}

// EventSourceCreate is the body that adds one.
type EventSourceCreate struct {
	Type string `json:"type"`
}

// EventSourceUpdate is empty: nothing of an event source can change.
type EventSourceUpdate struct{}

// EventSources are at /event_subscriptions/{subscription_id}/sources. Their type
// is what addresses them.
type EventSources = Collection[EventSource, EventSourceCreate, EventSourceUpdate]

// EventSources returns the sources of an event subscription.
func (c *Client) EventSources(subscriptionID string) EventSources {
	path, err := join("event_subscriptions", subscriptionID, "sources")
	return EventSources{
		client: c, noun: "event source", path: path, err: err, list: "sources",
		id:   func(o *EventSource) string { return o.Type },
		same: func(sent *EventSourceCreate, o *EventSource) bool { return sent.Type == o.Type },
	}
}
