package api

// EventSubscription sends events to destinations. Its sources are objects of
// their own, which are only read here.
type EventSubscription struct {
	Object
	Sources      []EventSource `json:"sources"`
	Destinations IDs           `json:"destinations"`
}

// EventSubscriptionBody is the body that creates or updates an event
// subscription. It holds no sources.
type EventSubscriptionBody struct {
	Details
	DestinationIDs []string `json:"destination_ids"` // in any order; never nil
}

// EventSubscriptions are the event subscriptions of the account.
var EventSubscriptions = identified[EventSubscription](
	Kind{Noun: "event subscription", Prefix: "esb_", Path: "/event_subscriptions", ListField: "event_subscriptions"},
)
