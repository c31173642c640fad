package testserver

import (
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// api is a REST API whose objects are in a store. The fields are what a server
// chooses; they must not change once it serves requests.
type api struct {
	routes   routes
	store    *objectStore
	ids      ids
	contract *contractDocument
	accounts map[string]account // by API key
	admin    account            // account of out-of-band requests
	clock    func() time.Time
	dateSkew time.Duration // offset of the Date header from the clock
	basePath string        // path of the API; empty, or for example /v2
	baseURL  func(*call) string
	log      *slog.Logger

	// Hooks, for the requests of clients. Out-of-band requests have none.
	checked  func(*call, *answer) // called before a response is normalised; nil if there is none
	finished func(*call, *answer) // called when a request is processed

	inFlight  atomic.Int64  // number of requests that are not answered yet
	closing   chan struct{} // closed when the server stops; ends all waits
	closeOnce sync.Once
}

// newAPI returns an API without objects and routes.
func newAPI() *api {
	return &api{
		accounts: map[string]account{},
		clock:    time.Now,
		log:      slog.New(slog.DiscardHandler),
		finished: func(*call, *answer) {},
		closing:  make(chan struct{}),
	}
}

// newCall finds the endpoint of a request of a client.
func (api *api) newCall(r *http.Request) *call {
	path := r.URL.EscapedPath()
	c := api.newCallTo(r, strings.TrimPrefix(path, api.basePath))
	if api.basePath != "" && !strings.HasPrefix(path, api.basePath+"/") {
		c.endpoint, c.problem = unknownEndpoint, unknownPath()
	}
	return c
}

// newDirectCall returns a call out of band: as an admin, and without limits,
// faults, quirks and log. path is relative to the base path.
func (api *api) newDirectCall(r *http.Request, path string, body []byte) *call {
	c := api.newCallTo(r, path)
	c.body, c.direct, c.account = body, true, api.admin
	return c
}

func (api *api) newCallTo(r *http.Request, path string) *call {
	now := api.now()
	c := &call{api: api, request: r, path: path, time: now, operation: api.ids.next("op_", now)}
	c.endpoint, c.values, c.problem = api.routes.find(path)
	c.key = c.endpoint.key(c.values)
	return c
}

// process processes a call and calls the hooks.
func (api *api) process(c *call) *answer {
	reply, err := api.handle(c)
	a := api.encode(c, reply, err)
	if c.direct {
		return a
	}
	if api.checked != nil {
		api.checked(c, a)
	}
	c.normalise(a)
	api.finished(c, a)
	return a
}

// handle checks the general requirements of a request and calls the endpoint.
func (api *api) handle(c *call) (*reply, error) {
	if err := api.authenticate(c); err != nil {
		return nil, err
	}
	if c.problem != nil {
		return nil, c.problem
	}
	handler, err := c.endpoint.method(c.request.Method)
	if err == nil {
		err = c.account.authorize(c.request.Method)
	}
	if err != nil {
		return nil, err
	}
	return handler(c)
}

// wait waits for d. It returns early if the client of a call disconnects or the
// server stops.
func (api *api) wait(c *call, d time.Duration) {
	api.sleep(d, c.request.Context().Done())
}

// sleep waits for d. It returns early if the server stops or enough is closed.
func (api *api) sleep(d time.Duration, enough <-chan struct{}) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-enough:
	case <-api.closing:
	}
}

// close ends all waits, also those that begin later.
func (api *api) close() {
	api.closeOnce.Do(func() { close(api.closing) })
}

// stopping returns a channel that is closed when the server stops.
func (api *api) stopping() <-chan struct{} {
	return api.closing
}

// now returns the time of the server's clock.
func (api *api) now() time.Time {
	return api.clock().UTC()
}
