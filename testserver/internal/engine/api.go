// Package engine is a REST API in memory: endpoints, calls, answers, lists, ids,
// and the two patterns that all kinds of objects use, [Collection] and [Module].
// It uses store, body, contract and problem. Kinds, behaviors, and the
// options of the server must stay out: it calls hooks around a request, and a
// call can have another view of the state.
package engine

import (
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/contract"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// API is a REST API whose objects are in a store. The fields are what a server
// chooses; they must not change once it serves requests.
type API struct {
	Routes   Routes
	Store    *store.Store
	IDs      IDs
	Contract *contract.Document
	Accounts map[string]Account                       // by API key
	Admin    Account                                  // account of out-of-band requests
	Created  func(key string) (owner string, ok bool) // of an API key that a client has created
	Clock    func() time.Time                         // runs in real time; see Now
	BaseURL  func(*Call) string
	Log      *slog.Logger

	// Check is called for the requests of clients, before the values of a response are
	// changed. It is nil if there is no check.
	Check func(*Call, *Answer)

	InFlight   atomic.Int64            // number of requests that are not answered yet
	clockMutex sync.Mutex              // held while the clock is set
	clock      atomic.Pointer[reading] // nil until the clock is set

	closing   chan struct{} // closed when the server stops; ends all waits
	closeOnce sync.Once
}

// New returns an API without objects and routes.
func New() *API {
	return &API{
		Accounts: map[string]Account{},
		Created:  func(string) (string, bool) { return "", false },
		Clock:    time.Now,
		Log:      slog.New(slog.DiscardHandler),
		closing:  make(chan struct{}),
	}
}

// NewCall finds the endpoint of a request of a client.
func (api *API) NewCall(r *http.Request) *Call {
	return api.newCallTo(r, r.URL.EscapedPath())
}

// NewDirectCall returns a call out of band: as an admin, and without other behavior and
// log.
func (api *API) NewDirectCall(r *http.Request, path string, body []byte) *Call {
	c := api.newCallTo(r, path)
	c.Body, c.Direct, c.Account = body, true, api.Admin
	return c
}

func (api *API) newCallTo(r *http.Request, path string) *Call {
	now := api.Now()
	c := &Call{api: api, Request: r, Path: path, Time: now, Arrived: api.Clock(), Operation: api.IDs.Next("op_", now)}
	c.Endpoint, c.Values, c.problem = api.Routes.Find(path)
	c.Key = c.Endpoint.key(c.Values)
	return c
}

// Process processes a call.
func (api *API) Process(c *Call) *Answer {
	reply, err := api.Handle(c)
	a := api.Encode(c, reply, err)
	if c.Direct {
		return a
	}
	if api.Check != nil {
		api.Check(c, a)
	}
	if c.Acts != nil {
		c.Acts.Change(c, a)
	}
	return a
}

// Handle checks the general requirements of a request and calls the endpoint.
func (api *API) Handle(c *Call) (*Reply, error) {
	if err := api.authenticate(c); err != nil {
		return nil, err
	}
	if c.problem != nil {
		return nil, c.problem
	}
	handler, err := MethodOf(c.Endpoint.Methods, c.Request.Method)
	if err == nil {
		err = c.Account.authorize(c.Request.Method)
	}
	if err != nil {
		return nil, err
	}
	return handler(c)
}

// Wait waits for d. It returns early if the client of a call disconnects or the
// server stops.
func (api *API) Wait(c *Call, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.Request.Context().Done():
	case <-api.closing:
	}
}

// Close ends all waits, also those that begin later.
func (api *API) Close() {
	api.closeOnce.Do(func() { close(api.closing) })
}

// Stopping returns a channel that is closed when the server stops.
func (api *API) Stopping() <-chan struct{} {
	return api.closing
}
