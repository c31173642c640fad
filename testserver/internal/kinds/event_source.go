package kinds

import (
	"regexp"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// eventSource is an event type that triggers an event subscription. See "Event
// source" in the API documentation.
type eventSource struct {
	Subscription string    `json:"event_subscription_id"`
	Type         string    `json:"type"`
	Added        string    `json:"added"` // sort key: the order in which sources were added
	CreatedAt    time.Time `json:"created_at"`
}

const eventSourceTable store.TableOf[*eventSource] = "event_sources"

func (e *eventSource) Key() string        { return e.Subscription + "/" + e.Type }
func (e *eventSource) Order() string      { return e.Added }
func (e *eventSource) Refers() []string   { return nil }
func (e *eventSource) Unique() string     { return "" }
func (e *eventSource) Label() string      { return e.Type }
func (e *eventSource) Created() time.Time { return e.CreatedAt }

// eventType matches any name without white space, slashes and control
// characters.
var eventType = regexp.MustCompile(`^[^\x00-\x20\x7f/]+\.v[0-9]+$`)

func eventSources(s *Service) engine.Collection[*eventSource] {
	return engine.Collection[*eventSource]{
		Path:     "/event_subscriptions/{subscription_id}/sources",
		Name:     "type",
		NameForm: eventType,
		Field:    "sources",
		Unpaged:  true,
		Noun:     "event source",
		Parent:   eventSubscriptions(s),
		Table:    eventSourceTable.In(s.store),
		Create:   func(c *engine.Call, in *body.Object) (*eventSource, error) { return newEventSource(c, in, c.Key), nil },
		Update:   func(_ *engine.Call, old *eventSource, _ *body.Object) *eventSource { return old }, // no field can be changed
		View: func(_ *engine.Call, uri string, source *eventSource) any {
			return struct {
				Type string `json:"type"`
				URI  string `json:"uri"`
			}{source.Type, uri}
		},
	}
}

func newEventSource(c *engine.Call, in *body.Object, subscription string) *eventSource {
	source := &eventSource{Subscription: subscription, Type: in.Required("type"), Added: c.NewID(""), CreatedAt: c.Time.Truncate(time.Second)}
	if !eventType.MatchString(source.Type) {
		in.Refuse("type", "invalid event type %s: expected a value such as ip_policy_created.v0", problem.Printable(source.Type))
	}
	return source
}
