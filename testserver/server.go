// Package testserver implements the Tunnel Service Management API in memory.
// Use it for tests, demonstrations, and to check how a client handles a service
// that is slow, rate-limited, broken or different from the default.
//
// [New] returns an [net/http.Handler], [Start] runs a server for the duration
// of a test, and cmd/tunnel-testserver is the command. The server implements
// what the API documentation defines. For what it leaves open, the server
// chooses a default behavior, and [WithQuirks] chooses other behavior.
package testserver

import (
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// bodyTimeout is the maximum time for a request body to arrive.
const bodyTimeout = time.Minute

// Server is a server for one account of the service. It is safe for concurrent
// use. Create it with [New] or [Start].
type Server struct {
	URL           string  // base URL for clients, without a trailing slash; set by Start
	AdminKey      string  // API key of an admin, also for the control endpoints
	OrdinaryKey   string  // API key of a Bot that is not an admin
	ReadOnlyKey   string  // read-only API key of the same Bot
	AdminOwner    string  // usr_ id of the owner of AdminKey
	OrdinaryOwner string  // bot_ id of the owner of OrdinaryKey and ReadOnlyKey
	Parents       Parents // objects that exist from the start
	Certificate   string  // PEM of the certificate for HTTPS; empty without WithTLS and EnableTLS

	accounts        map[string]account // by API key
	publicURL       string             // base URL of URIs in responses; empty means the Host header of the request
	basePath        string
	clock           func() time.Time
	dateSkew        time.Duration // offset of the Date header from the clock
	log             *slog.Logger
	latency         time.Duration
	window          *window
	slots           chan struct{} // one element for each request in progress; nil if there is no limit
	quirks          atomic.Pointer[quirks]
	normal          atomic.Pointer[[]*normalRule]
	startFault      []Fault
	faults          faults
	creations       creations
	tls             bool // Start serves HTTPS
	journal         journal
	inFlight        atomic.Int64
	violation       func(error) // reports contract violations; nil disables the contract check
	strict          bool
	requireReserved bool                                  // edges accept only reserved domains and addresses
	fail            func(format string, arguments ...any) // fails the test or panics if a Go method fails
	closing         chan struct{}                         // closed when the server stops; ends all waits
	closeOnce       sync.Once

	routes  routes
	ids     ids
	store   *Store
	start   snapshot // state that Reset restores
	resumed bool     // the store has objects of an earlier server
}

// New creates a server with its parents (see [Parents]). Without options, it
// keeps all data in memory, has no limits, and uses random keys.
func New(options ...Option) *Server {
	s := &Server{
		AdminKey:    randomKey(),
		OrdinaryKey: randomKey(),
		ReadOnlyKey: randomKey(),
		accounts:    map[string]account{},
		clock:       time.Now,
		log:         slog.New(slog.DiscardHandler),
		fail:        panicf,
		closing:     make(chan struct{}),
	}
	for _, option := range options {
		option(s)
	}
	if s.store == nil {
		s.store = newStore()
	}
	s.store.clock = s.now
	s.ids.after(s.store.newest)
	openTables(s.store)
	s.routes = s.endpoints()
	s.makeOrigin()
	s.accounts[s.AdminKey] = account{owner: s.AdminOwner, admin: true}
	s.accounts[s.OrdinaryKey] = account{owner: s.OrdinaryOwner}
	s.accounts[s.ReadOnlyKey] = account{owner: s.OrdinaryOwner, readOnly: true}
	s.start = s.store.snapshot()
	s.SetFaults(s.startFault...)
	return s
}

// Close ends all delays that faults and the latency impose on requests, so that
// the HTTP server can stop. Requests that arrive later are not delayed.
func (s *Server) Close() {
	s.closeOnce.Do(func() { close(s.closing) })
}

// ServeHTTP serves a request to the API, or to the control endpoints under
// /_testserver/.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	if strings.HasPrefix(path, controlPath) {
		s.serveControl(w, r)
		return
	}
	c := s.newCall(r, strings.TrimPrefix(path, s.basePath))
	if s.basePath != "" && !strings.HasPrefix(path, s.basePath+"/") {
		c.endpoint, c.problem = unknownEndpoint, unknownPath()
	}
	c.begin()
	defer c.end()
	s.serve(w, c)
}

// serve applies limits, latency and faults to a call, and processes it.
func (s *Server) serve(w http.ResponseWriter, c *call) {
	c.readBody(w)
	if q := s.quirks.Load(); q != nil {
		c.quirk = q.next()
	}
	done, refusal := s.admit(c)
	defer done()
	if refusal != nil {
		s.finish(c, s.encode(c, nil, refusal), nil).send(w)
		return
	}
	s.wait(c, s.latency)
	fault := s.faults.pick(c)
	if fault != nil {
		s.serveFault(w, c, fault)
		return
	}
	s.finish(c, s.process(c), nil).send(w)
}

// process processes a call and checks the request and response against the
// contract.
func (s *Server) process(c *call) *answer {
	reply, err := s.handle(c)
	a := s.encode(c, reply, err)
	if s.violation != nil && !c.direct {
		s.checkContract(c, a)
	}
	c.normalise(a)
	if a.status == http.StatusCreated && !c.direct {
		s.creations.add(c, a)
	}
	return a
}

// handle checks the general requirements of a request and calls the endpoint.
func (s *Server) handle(c *call) (*reply, error) {
	if err := s.authenticate(c); err != nil {
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

// finish logs a call and its response. It is called before the response is
// sent, so that a client that got the response finds the request in the log.
func (s *Server) finish(c *call, a *answer, fault *activeFault) *answer {
	entry := s.logEntry(c, a, fault)
	s.journal.add(entry)
	c.end()
	s.log.Info("request", "method", entry.Method, "path", entry.Path, "status", entry.Status,
		"duration", entry.Duration, "operation", entry.Operation)
	return a
}

// wait waits for d. It returns early if the client disconnects or the server
// stops.
func (s *Server) wait(c *call, d time.Duration) {
	s.sleep(d, c.request.Context().Done())
}

// sleep waits for d. It returns early if the server stops or enough is closed.
func (s *Server) sleep(d time.Duration, enough <-chan struct{}) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-enough:
	case <-s.closing:
	}
}

func (s *Server) now() time.Time {
	return s.clock().UTC()
}
