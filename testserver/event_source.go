package testserver

import (
	"net/http"
	"regexp"
	"time"
)

// eventSource is an event type that triggers an event subscription, see "Event source" in the API documentation.
type eventSource struct {
	Subscription string    `json:"event_subscription_id"`
	Type         string    `json:"type"`
	CreatedAt    time.Time `json:"created_at"`
}

func (e *eventSource) key() string        { return e.Subscription + "/" + e.Type }
func (e *eventSource) refers() []string   { return nil }
func (e *eventSource) unique() string     { return "" }
func (e *eventSource) created() time.Time { return e.CreatedAt }

// eventSourceView is an event source as answers show it.
type eventSourceView struct {
	Type string `json:"type"`
	URI  string `json:"uri"`
}

var eventType = regexp.MustCompile(`^[a-z][a-z0-9_]*\.v[0-9]+$`)

// eventSources is a collection whose objects are found by their type, have nothing to change, and are not paged.
func (s *Server) eventSources() []*endpoint {
	const path = "/event_subscriptions/{subscription_id}/sources"
	return []*endpoint{
		newEndpoint(path, map[string]handler{
			http.MethodPost: s.addEventSource, http.MethodGet: s.listEventSources,
		}),
		newEndpoint(path+"/{type}", map[string]handler{
			http.MethodGet: s.getEventSource, http.MethodPatch: s.patchEventSource, http.MethodDelete: s.deleteEventSource,
		}),
	}
}

func (s *Server) addEventSource(c *call) (*reply, error) {
	in, err := c.plainObject()
	if err != nil {
		return nil, err
	}
	source := &eventSource{Subscription: c.values["subscription_id"], Type: in.need("type"), CreatedAt: c.time.Truncate(time.Second)}
	checkEventType(in, source.Type)
	err = c.write(func() error {
		if err := s.findSubscription(source.Subscription); err != nil {
			return err
		}
		if err := in.end(); err != nil {
			return err
		}
		if _, exists := s.data.eventSources.get(source.key()); exists {
			return &problem{status: http.StatusConflict, field: "type",
				message: "the event subscription has the event source " + source.Type + " already"}
		}
		s.data.eventSources.put(c.tx, source)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return made(s.showEventSource(c, source))
}

func checkEventType(in *object, name string) {
	if !eventType.MatchString(name) {
		in.refuse("type", "%s is no event type, which looks like ip_policy_created.v0", printable(name))
	}
}

func (s *Server) listEventSources(c *call) (*reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	subscription := c.values["subscription_id"]
	if err := s.findSubscription(subscription); err != nil {
		return nil, err
	}
	return ok(map[string]any{
		"sources": s.showEventSources(c, subscription, c.asOf()),
		"uri":     c.base() + "/event_subscriptions/" + subscription + "/sources",
	})
}

func (s *Server) getEventSource(c *call) (*reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	source, err := s.findEventSource(c)
	if err != nil {
		return nil, err
	}
	return ok(s.showEventSource(c, source))
}

// patchEventSource takes an empty object: there is nothing to change.
func (s *Server) patchEventSource(c *call) (*reply, error) {
	in, err := c.plainObject()
	if err != nil {
		return nil, err
	}
	source, err := s.findEventSource(c)
	if err != nil {
		return nil, err
	}
	if err := in.end(); err != nil {
		return nil, err
	}
	return ok(s.showEventSource(c, source))
}

func (s *Server) deleteEventSource(c *call) (*reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	err := c.write(func() error {
		source, err := s.findEventSource(c)
		if err != nil {
			return err
		}
		s.data.eventSources.remove(c.tx, source.key())
		return nil
	})
	if err != nil {
		return nil, err
	}
	return gone()
}

func (s *Server) findSubscription(id string) error {
	if _, ok := s.data.eventSubscriptions.get(id); !ok {
		return unknown("event subscription", id)
	}
	return nil
}

func (s *Server) findEventSource(c *call) (*eventSource, error) {
	subscription, name := c.values["subscription_id"], c.values["type"]
	if err := s.findSubscription(subscription); err != nil {
		return nil, err
	}
	found, ok := s.data.eventSources.row(subscription + "/" + name)
	if !ok || c.hides(found.born) {
		return nil, unknown("event source", name)
	}
	return found.value, nil
}

func (s *Server) showEventSource(c *call, source *eventSource) eventSourceView {
	return eventSourceView{Type: source.Type,
		URI: c.base() + "/event_subscriptions/" + source.Subscription + "/sources/" + source.Type}
}

func (s *Server) showEventSources(c *call, subscription string, asOf time.Time) []eventSourceView {
	shown := []eventSourceView{}
	for _, source := range s.data.eventSources.under(subscription, asOf) {
		shown = append(shown, s.showEventSource(c, source))
	}
	return shown
}
