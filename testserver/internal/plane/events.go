package plane

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"reflect"
	"syscall"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// Delivery is an event for a destination.
type Delivery struct {
	kinds.Destination
	Number   int       `json:"number"`
	Time     time.Time `json:"time"`
	Type     string    `json:"event_type"`
	Body     Event     `json:"body"`
	Attempts int       `json:"attempts"`
	Answer   string    `json:"answer,omitempty"` // status, or why there is none; empty until there is one
	Done     bool      `json:"done"`             // it was delivered

	forgotten bool
}

// Event is what a destination gets.
type Event struct {
	ID     string    `json:"event_id"`
	Type   string    `json:"event_type"`
	Time   time.Time `json:"event_timestamp"`
	Object any       `json:"object"`
}

// events are those that are not delivered yet.
type events struct {
	*Plane      // nil if no events are sent
	client      *http.Client
	ctx         context.Context
	last        map[string]chan struct{} // by destination and object; closed when the last event is delivered
	unreachable map[string]int           // events for targets other than debug, by target
}

const (
	maxSending   = 16               // how many events a destination gets at a time
	maxAttempts  = 6                // the first one and 5 retries
	attemptLimit = 10 * time.Second // how long a destination has to answer
	lateBy       = 2 * time.Second  // how late event_late is
)

// startEvents sends an event for each change of an object.
func (p *Plane) startEvents() {
	dialer := &net.Dialer{Control: func(_, address string, _ syscall.RawConn) error {
		host, _, _ := net.SplitHostPort(address)
		if ip := net.ParseIP(host); !p.AllowRemote && !ip.IsLoopback() {
			return fmt.Errorf("%s is not on this machine, and events go nowhere else without -allow-remote-traffic", host)
		}
		return nil
	}}
	ctx, cancel := context.WithCancel(context.Background())
	p.events = events{p, &http.Client{
		Transport:     &http.Transport{DialContext: dialer.DialContext, MaxConnsPerHost: maxSending}, // and no proxy
		Timeout:       attemptLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, ctx, map[string]chan struct{}{}, map[string]int{}}
	first := true // the first call has what exists
	unwatch := p.api.Store.Watch(func(changes []store.Change) {
		if first {
			first = false
			return
		}
		r, _ := http.NewRequest(http.MethodGet, "/", nil) // a valid request
		for _, change := range changes {
			if change.Old == nil || !reflect.DeepEqual(change.Old, change.Value) {
				if eventType, object := p.service.EventOf(p.api.NewDirectCall(r, "", nil), change); eventType != "" {
					p.events.emit(eventType, change.Key, object)
				}
			}
		}
	})
	p.stops = append(p.stops, func() { unwatch(); cancel() })
}

// emit delivers an event to each destination that gets it, after those of the same
// object. It waits for nothing.
func (e *events) emit(eventType, key string, object any) {
	if e.Plane == nil {
		return
	}
	event, off := Event{"ev_" + rand.Text(), eventType, e.api.Now().UTC(), object}, e.off()
	for _, to := range e.service.Destinations(eventType) {
		if to.Log {
			e.api.Log.Info("event", "type", eventType, "id", event.ID, "object", key)
		}
		e.mutex.Lock()
		if to.CallbackURL == "" {
			if to.Kind != "debug" {
				e.unreachable[to.Kind]++
			}
			e.mutex.Unlock()
			continue
		}
		d := &Delivery{Destination: to, Time: time.Now(), Type: eventType, Body: event}
		d.Number = e.deliveries.add(d)
		name, done := to.ID+" "+key, make(chan struct{})
		before := e.last[name]
		e.last[name] = done
		e.mutex.Unlock()
		go func() {
			if before != nil {
				<-before
			}
			e.deliver(d, off)
			e.mutex.Lock()
			defer e.mutex.Unlock()
			if close(done); e.last[name] == done {
				delete(e.last, name)
			}
		}()
	}
}

// deliver sends an event until the destination takes it, or too often. off has what was
// turned off when the event happened.
func (e *events) deliver(d *Delivery, off map[string]bool) {
	if off["event_lost"] {
		e.note(d, "lost", false)
		return
	}
	if off["event_late"] {
		e.wait(lateBy)
	}
	text, err := json.Marshal(d.Body)
	for attempt := range maxAttempts {
		answer, ok := e.send(d.CallbackURL, text, err)
		if e.note(d, answer, ok) || ok {
			break
		}
		e.api.Log.Info("event: not delivered", "destination", d.ID, "type", d.Type, "attempt", attempt+1, "answer", answer)
		e.wait(time.Second << attempt)
	}
	if off["event_twice"] {
		e.send(d.CallbackURL, text, err)
	}
}

func (e *events) wait(d time.Duration) {
	select {
	case <-time.After(d):
	case <-e.ctx.Done():
	}
}

// note notes the answer of a destination, and reports whether the delivery is
// forgotten.
func (e *events) note(d *Delivery, answer string, done bool) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	d.Attempts, d.Answer, d.Done = d.Attempts+1, answer, done
	return d.forgotten
}

// send sends an event, and reports whether the destination has taken it.
func (e *events) send(to string, text []byte, err error) (answer string, ok bool) {
	var response *http.Response
	if err == nil {
		response, err = e.client.Post(to, "application/json", bytes.NewReader(text)) //nolint:noctx // it has a timeout
	}
	if err != nil {
		return err.Error(), false
	}
	_ = response.Body.Close()
	return response.Status, response.StatusCode/100 == 2
}
