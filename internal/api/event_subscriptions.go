package api

// EventSubscription sends events to destinations. Its sources are objects of
// their own, which are only read here.
type EventSubscription struct {
	Object
	Sources      []EventSource `json:"sources"`
	Destinations []Ref         `json:"destinations"`
}

// EventSubscriptionCreate is the body that creates an event subscription.
type EventSubscriptionCreate struct {
	Details
	DestinationIDs []string `json:"destination_ids"` // in any order
}

// EventSubscriptionUpdate is the body that updates an event subscription. It
// holds no sources.
type EventSubscriptionUpdate struct {
	DetailsUpdate
	DestinationIDs []string `json:"destination_ids"` // never nil
}

// EventSubscriptionKind names event subscriptions.
var EventSubscriptionKind = newKind(
	Kind{Noun: "event subscription", Prefix: "esb_", Path: "/event_subscriptions", ListField: "event_subscriptions"},
)

// EventSubscriptions returns the account's event subscriptions.
var EventSubscriptions = objects(kind[EventSubscription]{Kind: EventSubscriptionKind})

// DestinationIDs returns the ids of the destinations.
func (s *EventSubscription) DestinationIDs() []string {
	ids := make([]string, len(s.Destinations))
	for i, destination := range s.Destinations {
		ids[i] = destination.ID
	}
	return ids
}
