package faults

import (
	"net/http"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/variation"
)

// cachedPage is a list response that a gateway keeps.
type cachedPage struct {
	answer *engine.Answer
	at     time.Time
}

// cached returns the response that the rule keeps for this URL and API key, or
// the current response if it has none that is recent enough.
func (a *activeFault) cached(c *engine.Call) *engine.Answer {
	key := c.Request.Header.Get("Authorization") + " " + c.Request.URL.RequestURI()
	if found, ok := a.rule.pages.Load(key); ok {
		if page := found.(cachedPage); c.Arrived.Sub(page.at) < a.rule.Delay {
			c.View.Used = true
			return page.answer
		}
	}
	response := a.api.Process(c)
	if response.Status == http.StatusOK {
		a.rule.pages.Store(key, cachedPage{response, c.Arrived})
	}
	return response
}

// shortList removes members from the elements of a list response. Seed 0
// removes all members that do not identify the object. Another seed removes
// about half of them.
func (a *activeFault) shortList(c *engine.Call) *engine.Answer {
	response, seed := a.api.Process(c), a.rule.Seed
	if response.Status != http.StatusOK {
		return response
	}
	page := body.Decode(response.Body).(map[string]any)
	for _, value := range page {
		elements, _ := value.([]any)
		for _, element := range elements {
			members, _ := element.(map[string]any)
			for name := range members {
				if !variation.Identifies(name) && (seed == 0 || variation.Drawn(name, seed, 2)) {
					delete(members, name)
					c.View.Used = true
				}
			}
		}
	}
	return &engine.Answer{Status: response.Status, Header: response.Header, Body: body.Marshal(page)}
}

// Remember remembers what a request created, for the faults that answer with
// another object.
func (f *Injector) Remember(c *engine.Call, response *engine.Answer) {
	if response.Status == http.StatusCreated {
		f.creations.add(c, response)
	}
}

// creations remembers what POST requests created.
type creations struct {
	mutex sync.Mutex
	last  map[string]*engine.Answer // by path
}

func (r *creations) add(c *engine.Call, a *engine.Answer) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.last == nil {
		r.last = map[string]*engine.Answer{}
	}
	r.last[c.Path] = a
}

func (r *creations) lastOf(path string) *engine.Answer {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.last[path]
}

// replayed returns the response to the last successful POST to the same path
// without processing the request. It processes the request if there is none.
func (a *activeFault) replayed(c *engine.Call) *engine.Answer {
	if earlier := a.creations.lastOf(c.Path); earlier != nil {
		c.View.Used = true
		return earlier
	}
	return a.api.Process(c)
}

// notFound returns a 404 for an object or module that exists.
func (a *activeFault) notFound(c *engine.Call) *engine.Answer {
	if !a.exists(c.Path) {
		return a.api.Process(c)
	}
	c.View.Used = true
	return a.api.Encode(c, nil, &problem.Problem{Status: http.StatusNotFound, Message: "not found"})
}

// exists reports whether an object exists, or whether a module is set.
func (a *activeFault) exists(path string) bool {
	r, err := http.NewRequest(http.MethodGet, path, nil)
	return err == nil && a.api.Process(a.api.NewDirectCall(r, path, nil)).Status == http.StatusOK
}

// redirect returns a redirect to a path that is not part of the API.
func (a *activeFault) redirect(c *engine.Call) *engine.Answer {
	response := a.api.Encode(c, &engine.Reply{Status: http.StatusTemporaryRedirect, Value: struct{}{}}, nil)
	if a.rule.Status != 0 {
		response.Status = a.rule.Status
	}
	response.Header.Set("Location", a.api.BasePath+"/redirected"+c.Path)
	return response
}
