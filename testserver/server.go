// Package testserver is the Tunnel Service Management API in memory: for tests, demonstrations and for finding out how a
// client handles a service that is slow, limited, broken or merely different.
//
// [New] returns an [net/http.Handler], [Start] runs one for the length of a test, and cmd/tunnel-testserver is the command.
// What the API documentation states is served as stated; what it leaves open is decided here, and can be decided
// differently with [WithQuirks].
package testserver

import (
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// defaultBodyTimeout is how long a request body may take to arrive.
const defaultBodyTimeout = time.Minute

// Server is one account of the service. It is safe for concurrent use. Make one with [New] or [Start].
type Server struct {
	URL           string  // the base URL that clients use, without a trailing slash; set by Start
	AdminKey      string  // an API key of an admin; also opens the control endpoints
	OrdinaryKey   string  // an API key of a Bot that is not an admin
	ReadOnlyKey   string  // an API key of the same Bot that may only read
	AdminOwner    string  // the usr_ id behind AdminKey
	OrdinaryOwner string  // the bot_ id behind OrdinaryKey
	Parents       Parents // what exists from the start

	accounts    map[string]account // by API key
	publicURL   string             // what URIs in answers begin with; empty: as the Host header says
	basePath    string
	clock       func() time.Time
	dateSkew    time.Duration // by which the Date header is ahead of the clock
	log         *slog.Logger
	latency     time.Duration
	bodyTimeout time.Duration // how long a request body may take to arrive
	window      *window
	slots       chan struct{} // one element for each request in progress; nil: no limit
	quirks      atomic.Pointer[quirks]
	startFault  []Fault
	faults      faults
	journal     journal
	violation   func(error) // takes what breaks the contract; nil: no check
	strict      bool
	fail        func(format string, arguments ...any) // reports that a Go method cannot do what it was asked
	closing     chan struct{}                         // closed when the server stops: ends every wait
	closeOnce   sync.Once

	routes  routes
	ids     ids
	store   *Store
	start   snapshot // what Reset goes back to
	resumed bool     // whether the store held objects of an earlier server
	data    objects
}

// New makes a server with its parents (see [Parents]) and returns it as an [net/http.Handler]. Without options it keeps
// everything in memory, is not limited in any way and has fresh random keys.
func New(options ...Option) *Server {
	s := &Server{
		AdminKey:    randomKey(),
		OrdinaryKey: randomKey(),
		ReadOnlyKey: randomKey(),
		accounts:    map[string]account{},
		bodyTimeout: defaultBodyTimeout,
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
	s.data = newObjects(s.store)
	s.routes = s.endpoints()
	s.makeOrigin()
	s.accounts[s.AdminKey] = account{owner: s.AdminOwner, admin: true}
	s.accounts[s.OrdinaryKey] = account{owner: s.OrdinaryOwner}
	s.accounts[s.ReadOnlyKey] = account{owner: s.OrdinaryOwner, readOnly: true}
	s.start = s.store.snapshot()
	s.SetFaults(s.startFault...)
	return s
}

// Close ends every wait that a fault or the latency imposes on a request, so that an HTTP server around s can stop.
// Requests that still arrive are answered without waiting.
func (s *Server) Close() {
	s.closeOnce.Do(func() { close(s.closing) })
}

// ServeHTTP answers one request of the API, or one to the control endpoints under /_testserver/.
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
	s.serve(w, c)
}

// serve takes a call through everything that a request meets: the limits, the latency, the faults, and what it asked for.
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

// process answers a call as the API does, and holds request and answer against the contract.
func (s *Server) process(c *call) *answer {
	reply, err := s.handle(c)
	a := s.encode(c, reply, err)
	if s.violation != nil && !c.direct {
		s.checkContract(c, a)
	}
	return a
}

// handle checks what every request must satisfy and calls the endpoint.
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

// finish records a call whose answer is known. It comes before sending, so that who got an answer finds it in the log.
func (s *Server) finish(c *call, a *answer, fault *activeFault) *answer {
	entry := s.logEntry(c, a, fault)
	s.journal.add(entry)
	s.log.Info("request", "method", entry.Method, "path", entry.Path, "status", entry.Status,
		"duration", entry.Duration, "operation", entry.Operation)
	return a
}

// wait lets d pass, or less if the client goes away or the server stops.
func (s *Server) wait(c *call, d time.Duration) {
	s.sleep(d, c.request.Context().Done())
}

// sleep lets d pass, or less if the server stops or enough is closed.
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
