package behavior

import (
	"context"
	"slices"
	"sync"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// Held is a request that a rule holds.
type Held struct {
	Method string `json:"method"`
	Path   string `json:"path"`
}

// holding is the requests that are held.
type holding struct {
	mutex    sync.Mutex
	held     []Held        // oldest first
	arrived  chan struct{} // closed when the next request is held
	released chan struct{} // closed when those that are held go on
}

// wait waits until the request is released or the server stops. It also waits if the
// client gives up, as a service does that is slow.
func (s *Service) wait(c *engine.Call) {
	h := &s.holding
	h.mutex.Lock()
	h.held = append(h.held, Held{c.Request.Method, c.Path})
	close(h.arrived)
	h.arrived = make(chan struct{})
	released := h.released
	h.mutex.Unlock()
	select {
	case <-released:
	case <-s.api.Stopping():
	}
}

// Held returns the requests that are held, oldest first. If there are none, it waits for
// one until the context ends.
func (s *Service) Held(ctx context.Context) []Held {
	h := &s.holding
	for {
		h.mutex.Lock()
		all, arrived := slices.Clone(h.held), h.arrived
		h.mutex.Unlock()
		if len(all) > 0 || ctx.Err() != nil {
			return all
		}
		select {
		case <-arrived:
		case <-ctx.Done():
		case <-s.api.Stopping():
			return nil
		}
	}
}

// Release lets all held requests go on. It returns how many they are.
func (s *Service) Release() int {
	h := &s.holding
	h.mutex.Lock()
	defer h.mutex.Unlock()
	released := len(h.held)
	close(h.released)
	h.held, h.released = nil, make(chan struct{})
	return released
}
