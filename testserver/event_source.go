package testserver

import (
	"regexp"
	"time"
)

// eventSource is an event type that triggers an event subscription. See "Event
// source" in the API documentation.
type eventSource struct {
	Subscription string    `json:"event_subscription_id"`
	Type         string    `json:"type"`
	Added        string    `json:"added"` // sort key: the order in which sources were added
	CreatedAt    time.Time `json:"created_at"`
}

const eventSourceTable tableOf[*eventSource] = "event_sources"

func (e *eventSource) key() string        { return e.Subscription + "/" + e.Type }
func (e *eventSource) order() string      { return e.Added }
func (e *eventSource) refers() []string   { return nil }
func (e *eventSource) unique() string     { return "" }
func (e *eventSource) created() time.Time { return e.CreatedAt }

// eventType matches any name without white space, slashes and control
// characters.
var eventType = regexp.MustCompile(`^[^\x00-\x20\x7f/]+\.v[0-9]+$`)

func (s *service) eventSources() collection[*eventSource] {
	return collection[*eventSource]{
		path:   "/event_subscriptions/{subscription_id}/sources",
		name:   "type",
		form:   eventType,
		field:  "sources",
		whole:  true,
		noun:   "event source",
		parent: s.eventSubscriptions(),
		table:  eventSourceTable.in(s.store),
		create: func(c *call, in *object) (*eventSource, error) { return newEventSource(c, in, c.key), nil },
		update: func(_ *call, old *eventSource, _ *object) *eventSource { return old }, // no field can be changed
		view: func(_ *call, uri string, source *eventSource) any {
			return struct {
				Type string `json:"type"`
				URI  string `json:"uri"`
			}{source.Type, uri}
		},
	}
}

func newEventSource(c *call, in *object, subscription string) *eventSource {
	source := &eventSource{Subscription: subscription, Type: in.need("type"), Added: c.newID(""), CreatedAt: c.time.Truncate(time.Second)}
	if !eventType.MatchString(source.Type) {
		in.refuse("type", "invalid event type %s: expected a value such as ip_policy_created.v0", printable(source.Type))
	}
	return source
}
