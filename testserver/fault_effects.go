package testserver

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// has reports whether a fault of this kind changes the call.
func (c *call) has(kind FaultKind) bool {
	return c.effect != nil && c.effect.Kind == kind
}

// asOf returns the time of the state that a call reads. The zero time is the
// current state.
func (c *call) asOf() time.Time {
	if c.effect == nil {
		return present
	}
	switch c.effect.Kind {
	case FaultEmptyReplica:
		c.applied = true
		return never
	case FaultLag, FaultLagGet, FaultLagList:
		c.applied = true
		return c.time.Add(-c.effect.Delay)
	}
	return present
}

// skew returns the difference between the Date header and the clock of
// created_at.
func (c *call) skew() time.Duration {
	if c.has(FaultClockSkew) {
		return c.effect.Delay
	}
	return 0
}

// serveEffect sends a response. The fault counts as a hit only if it changed
// the response.
func (s *Server) serveEffect(w http.ResponseWriter, c *call, fault *activeFault, a *answer) {
	if !c.applied {
		fault.release()
		fault = nil
	}
	s.finish(c, a, fault).send(w)
}

// cachedPage is a list response that a gateway keeps.
type cachedPage struct {
	answer *answer
	at     time.Time
}

// cached returns the response that the rule keeps for this URL and API key, or
// the current response if it has none that is recent enough.
func (s *Server) cached(c *call, rule *faultState) *answer {
	key := c.request.Header.Get("Authorization") + " " + c.request.URL.RequestURI()
	if found, ok := rule.pages.Load(key); ok {
		if page := found.(cachedPage); c.time.Sub(page.at) < rule.Delay {
			c.applied = true
			return page.answer
		}
	}
	a := s.process(c)
	if a.status == http.StatusOK {
		rule.pages.Store(key, cachedPage{a, c.time})
	}
	return a
}

// identifying are the members that short list elements keep.
var identifying = []string{"id", "type", "uri"}

// shortList removes members from the elements of a list response. Seed 0
// removes all members that do not identify the object. Another seed removes
// about half of them.
func (s *Server) shortList(c *call, seed uint64) *answer {
	a := s.process(c)
	if a.status != http.StatusOK {
		return a
	}
	page := decodeTree(a.body).(map[string]any)
	for _, value := range page {
		elements, _ := value.([]any)
		for _, element := range elements {
			members, _ := element.(map[string]any)
			for name := range members {
				if !slices.Contains(identifying, name) && (seed == 0 || drawn(name, seed, 2)) {
					delete(members, name)
					c.applied = true
				}
			}
		}
	}
	return &answer{status: a.status, header: a.header, body: marshal(page)}
}

// creations remembers what POST requests created.
type creations struct {
	mutex sync.Mutex
	last  map[string]*answer // by path
	keys  map[string]bool    // keys of all created objects
}

func (r *creations) add(c *call, a *answer) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.last == nil {
		r.last, r.keys = map[string]*answer{}, map[string]bool{}
	}
	r.last[c.path], r.keys[c.created] = a, true
}

func (r *creations) lastOf(path string) *answer {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.last[path]
}

func (r *creations) has(key string) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.keys[key]
}

// replayed returns the response to the last successful POST to the same path
// without processing the request. It processes the request if there is none.
func (s *Server) replayed(c *call) *answer {
	if a := s.creations.lastOf(c.path); a != nil {
		c.applied = true
		return a
	}
	return s.process(c)
}

// foreign returns the oldest object next to a new one that no POST request
// created, or the new one if there is none.
func (k collection[T]) foreign(c *call, value T) T {
	others := k.table.all()
	if k.parent != nil {
		others = k.table.under(c.key, present)
	}
	for _, other := range others {
		if other.key() != value.key() && !c.server.creations.has(other.key()) {
			c.applied = true
			return other
		}
	}
	return value
}

// notFound returns a 404 for an object or module that exists.
func (s *Server) notFound(c *call) *answer {
	if status, _ := s.Do(http.MethodGet, c.path, ""); status != http.StatusOK {
		return s.process(c)
	}
	c.applied = true
	return s.encode(c, nil, &problem{status: http.StatusNotFound, message: "not found"})
}

// redirect returns a redirect to a path that is not part of the API.
func (s *Server) redirect(c *call, rule *Fault) *answer {
	a := s.encode(c, &reply{status: http.StatusTemporaryRedirect, value: struct{}{}}, nil)
	if rule.Status != 0 {
		a.status = rule.Status
	}
	a.header.Set("Location", s.basePath+"/redirected"+c.path)
	return a
}
