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
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

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

	api             *api
	injector        *injector
	limits          limits
	latency         time.Duration
	quirks          atomic.Pointer[quirks]
	normal          atomic.Pointer[rules]
	startFaults     []Fault
	journal         journal
	publicURL       string      // base URL of URIs in responses; empty means the Host header of the request
	tls             bool        // Start serves HTTPS
	violation       func(error) // reports contract violations; nil disables the contract check
	strict          bool
	requireReserved bool                                  // edges accept only reserved domains and addresses
	fail            func(format string, arguments ...any) // fails the test or panics if a Go method fails
	start           snapshot                              // state that Reset restores
	resumed         bool                                  // the store has objects of an earlier server
}

// apiContract is the parsed form of OpenAPI.
var apiContract = sync.OnceValue(func() *contractDocument { return parseDocument(OpenAPI) })

// New creates a server with its parents (see [Parents]). Without options, it
// keeps all data in memory, has no limits, and uses random keys.
func New(options ...Option) *Server {
	s := &Server{
		AdminKey:    randomKey(),
		OrdinaryKey: randomKey(),
		ReadOnlyKey: randomKey(),
		api:         newAPI(),
		fail:        panicf,
	}
	for _, option := range options {
		option(s)
	}
	s.buildAPI()
	s.makeOrigin()
	s.api.admin = account{owner: s.AdminOwner, admin: true}
	s.api.accounts[s.AdminKey] = s.api.admin
	s.api.accounts[s.OrdinaryKey] = account{owner: s.OrdinaryOwner}
	s.api.accounts[s.ReadOnlyKey] = account{owner: s.OrdinaryOwner, readOnly: true}
	s.start = s.api.store.snapshot()
	s.SetFaults(s.startFaults...)
	return s
}

// buildAPI puts the rooms together: the engine, the kinds, the contract and the
// faults.
func (s *Server) buildAPI() {
	if s.api.store == nil {
		s.api.store = newStore()
	}
	s.api.store.useClock(s.api.now)
	openAllTables(s.api.store)
	s.api.ids.after(s.api.store.newest())
	s.api.routes = newService(s.api.store, s.requireReserved).endpoints()
	s.api.contract = apiContract()
	s.api.baseURL = s.baseURL
	s.injector = newInjector(s.api, s.finish)
	s.api.finished = s.injector.remember
	if s.violation != nil {
		s.api.checked = s.checkContract
	}
}

// baseURL returns the base URL as the client of a call sees it.
func (s *Server) baseURL(c *call) string {
	switch {
	case s.publicURL != "":
		return s.publicURL
	case c.direct && s.URL != "":
		return s.URL
	case s.Certificate != "":
		return "https://" + c.request.Host + s.api.basePath
	default:
		return "http://" + c.request.Host + s.api.basePath
	}
}

// Close ends all delays that faults and the latency impose on requests, so that
// the HTTP server can stop. Requests that arrive later are not delayed.
func (s *Server) Close() {
	s.api.close()
}

// ServeHTTP serves a request to the API, or to the control endpoints under
// /_testserver/.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.EscapedPath(), controlPath) {
		s.serveControl(w, r)
		return
	}
	c := s.api.newCall(r)
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
	if rules := s.normal.Load(); rules != nil {
		c.normal = *rules
	}
	done, refusal := s.limits.admit(c.time)
	defer done()
	if refusal != nil {
		s.finish(c, s.api.encode(c, nil, refusal), "").send(w)
		return
	}
	s.api.wait(c, s.latency)
	if s.injector.serve(w, c) {
		return
	}
	s.finish(c, s.api.process(c), "").send(w)
}

// checkContract reports what a request and its response violate.
func (s *Server) checkContract(c *call, a *answer) {
	found := apiContract().check(&exchange{
		request: c.request, route: c.endpoint.pattern, path: c.values, body: c.body, cut: c.bodyErr != nil, noBody: c.quirk != nil,
		status: a.status, header: a.header, answer: a.body,
	}, s.strict)
	for _, violation := range found {
		s.violation(violation)
	}
}

// finish logs a call and its response. It is called before the response is
// sent, so that a client that got the response finds the request in the log.
func (s *Server) finish(c *call, a *answer, fault FaultKind) *answer {
	entry := s.logEntry(c, a, fault)
	s.journal.add(entry)
	c.end()
	s.api.log.Info("request", "method", entry.Method, "path", entry.Path, "status", entry.Status,
		"duration", entry.Duration, "operation", entry.Operation)
	return a
}

// EnableTLS makes an HTTP server serve HTTPS with HTTP/1.1 and HTTP/2 on the
// returned listener. It uses a new certificate for localhost and the loopback
// addresses, which clients must trust: see the field Certificate of [Server].
func (s *Server) EnableTLS(front *http.Server, plain net.Listener) (net.Listener, error) {
	listener, certificate, err := enableTLS(front, plain)
	if err == nil {
		s.Certificate = certificate
	}
	return listener, err
}

// randomKey returns a random API key.
func randomKey() string {
	return "key_" + rand.Text()
}

func panicf(format string, arguments ...any) {
	panic("testserver: " + fmt.Sprintf(format, arguments...))
}
