package api

// EventDestination receives the events of event subscriptions.
type EventDestination struct {
	Object
	Format string `json:"format"`
	// Target is where the events go. A service may show the kinds of target that are not
	// used as empty objects. It omits or masks the secret.
	Target map[string]any `json:"target"`
}

// EventDestinationCreate is the body that creates an event destination.
type EventDestinationCreate struct {
	Details
	Format string         `json:"format"`
	Target map[string]any `json:"target"`
	// Secret is the secret in the target, "" if it has none.
	Secret string `json:"-"`
}

// EventDestinationUpdate is the body that updates an event destination.
type EventDestinationUpdate struct {
	Details
	Format string         `json:"format"`
	Target map[string]any `json:"target,omitempty"` // nil keeps it; another kind of target is refused
	Secret string         `json:"-"`
}

func (c EventDestinationCreate) sentSecret() string { return c.Secret }
func (u EventDestinationUpdate) sentSecret() string { return u.Secret }

// EventDestinations are the event destinations of the account.
var EventDestinations = identified[EventDestination](
	Kind{Noun: "event destination", Prefix: "ed_", Path: "/event_destinations", ListField: "event_destinations"},
)
