package testserver

import (
	"net/http"
	"sync"
	"time"
)

// cachedPage is a list response that a gateway keeps.
type cachedPage struct {
	answer *answer
	at     time.Time
}

// cached returns the response that the rule keeps for this URL and API key, or
// the current response if it has none that is recent enough.
func (a *activeFault) cached(c *call) *answer {
	key := c.request.Header.Get("Authorization") + " " + c.request.URL.RequestURI()
	if found, ok := a.rule.pages.Load(key); ok {
		if page := found.(cachedPage); c.time.Sub(page.at) < a.rule.Delay {
			c.view.used = true
			return page.answer
		}
	}
	response := a.api.process(c)
	if response.status == http.StatusOK {
		a.rule.pages.Store(key, cachedPage{response, c.time})
	}
	return response
}

// shortList removes members from the elements of a list response. Seed 0
// removes all members that do not identify the object. Another seed removes
// about half of them.
func (a *activeFault) shortList(c *call) *answer {
	response, seed := a.api.process(c), a.rule.Seed
	if response.status != http.StatusOK {
		return response
	}
	page := decodeTree(response.body).(map[string]any)
	for _, value := range page {
		elements, _ := value.([]any)
		for _, element := range elements {
			members, _ := element.(map[string]any)
			for name := range members {
				if !identifies(name) && (seed == 0 || drawn(name, seed, 2)) {
					delete(members, name)
					c.view.used = true
				}
			}
		}
	}
	return &answer{status: response.status, header: response.header, body: marshal(page)}
}

// remember remembers what a request created, for the faults that answer with
// another object.
func (f *injector) remember(c *call, response *answer) {
	if response.status == http.StatusCreated {
		f.creations.add(c, response)
	}
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
func (a *activeFault) replayed(c *call) *answer {
	if earlier := a.creations.lastOf(c.path); earlier != nil {
		c.view.used = true
		return earlier
	}
	return a.api.process(c)
}

// notFound returns a 404 for an object or module that exists.
func (a *activeFault) notFound(c *call) *answer {
	if !a.exists(c.path) {
		return a.api.process(c)
	}
	c.view.used = true
	return a.api.encode(c, nil, &problem{status: http.StatusNotFound, message: "not found"})
}

// exists reports whether an object exists, or whether a module is set.
func (a *activeFault) exists(path string) bool {
	r, err := http.NewRequest(http.MethodGet, path, nil)
	return err == nil && a.api.process(a.api.newDirectCall(r, path, nil)).status == http.StatusOK
}

// redirect returns a redirect to a path that is not part of the API.
func (a *activeFault) redirect(c *call) *answer {
	response := a.api.encode(c, &reply{status: http.StatusTemporaryRedirect, value: struct{}{}}, nil)
	if a.rule.Status != 0 {
		response.status = a.rule.Status
	}
	response.header.Set("Location", a.api.basePath+"/redirected"+c.path)
	return response
}
