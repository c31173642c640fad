package behavior

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// Held is a request that a rule holds.
type Held struct {
	Number int    `json:"number"` // 1 for the first one
	Method string `json:"method"`
	Path   string `json:"path"`

	released chan struct{}
}

// holding is the requests that are held.
type holding struct {
	mutex   sync.Mutex
	last    int
	held    map[int]Held
	arrived chan struct{} // closed when the next request is held; nil if nobody waits for it
}

// wait waits until the request is released or the server stops. It also waits if the
// client gives up, as a service does that is slow.
func (s *Service) wait(c *engine.Call) {
	h := &s.holding
	h.mutex.Lock()
	h.last++
	one := Held{h.last, c.Request.Method, c.Path, make(chan struct{})}
	if h.held == nil {
		h.held = map[int]Held{}
	}
	h.held[one.Number] = one
	if h.arrived != nil {
		close(h.arrived)
		h.arrived = nil
	}
	h.mutex.Unlock()
	select {
	case <-one.released:
	case <-s.api.Stopping():
		s.Release(one.Number)
	}
}

// Held returns the requests that are held, oldest first. If there are none, it waits for
// one until the context ends.
func (s *Service) Held(ctx context.Context) []Held {
	h := &s.holding
	for {
		h.mutex.Lock()
		all := slices.SortedFunc(maps.Values(h.held), func(a, b Held) int { return a.Number - b.Number })
		if h.arrived == nil {
			h.arrived = make(chan struct{})
		}
		arrived := h.arrived
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

// Release lets the held requests with these numbers go on, or all without a number. It
// returns how many it has released.
func (s *Service) Release(numbers ...int) int {
	h := &s.holding
	h.mutex.Lock()
	defer h.mutex.Unlock()
	released := 0
	for number, one := range h.held {
		if len(numbers) == 0 || slices.Contains(numbers, number) {
			close(one.released)
			delete(h.held, number)
			released++
		}
	}
	return released
}
