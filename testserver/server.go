// Package testserver implements the Tunnel Service Management API in memory.
// Use it for tests, demonstrations, and to check how a client handles a service
// that is slow, rate-limited, broken or different from the default.
//
// [New] returns an [net/http.Handler], [Start] runs a server for the duration
// of a test, and cmd/tunnel-testserver is the command. The server implements
// what the API documentation defines. For what it leaves open, the server
// chooses a default, and [WithBehavior] chooses other behavior.
package testserver

import (
	"crypto/rand"
	_ "embed"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/behavior"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/contract"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/plane"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/record"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
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
	Certificate   string  // PEM of the certificate for HTTPS; empty without EnableTLS

	api        *engine.API
	service    *kinds.Service
	behavior   *behavior.Service
	startRules []Rule
	switching  sync.Mutex // guards changes of the rules over HTTP, and their order in the log
	log        record.Log
	identity   func() string // differs from that of every other server
	hosts      []string      // host names of the control endpoints, besides those that are always allowed
	publicURL  string        // base URL of URIs in responses; empty means the Host header of the request
	violation  func(error)   // reports contract violations; nil disables the contract check
	strict     bool
	fail       func(format string, arguments ...any) // fails the test or panics if a Go method fails
	start      store.Snapshot                        // state that Reset restores
	plane      atomic.Pointer[plane.Plane]
}

// OpenAPI is the API contract as an OpenAPI 3.1 document in YAML.
//
//go:embed openapi.yaml
var OpenAPI []byte

// apiContract is the parsed form of OpenAPI.
var apiContract = sync.OnceValue(func() *contract.Document { return contract.New(OpenAPI) })

// New creates a server with its parents (see [Parents]). Without options, it
// keeps all data in memory, has no limits, and uses random keys.
func New(options ...Option) *Server {
	s := &Server{
		AdminKey:    randomKey(),
		OrdinaryKey: randomKey(),
		ReadOnlyKey: randomKey(),
		identity:    sync.OnceValue(rand.Text),
		api:         engine.New(),
		fail:        panicf,
	}
	for _, option := range options {
		option(s)
	}
	s.buildAPI()
	s.makeOrigin()
	s.api.Admin = engine.Account{Owner: s.AdminOwner, Admin: true}
	s.api.Accounts[s.AdminKey] = s.api.Admin
	s.api.Accounts[s.OrdinaryKey] = engine.Account{Owner: s.OrdinaryOwner}
	s.api.Accounts[s.ReadOnlyKey] = engine.Account{Owner: s.OrdinaryOwner, ReadOnly: true}
	s.start = s.api.Store.Snapshot()
	s.SetRules()
	return s
}

// buildAPI puts the engine, the kinds, the contract and the behavior together.
func (s *Server) buildAPI() {
	if s.api.Store == nil {
		s.api.Store = store.New()
	}
	s.api.Store.UseClock(s.api.Clock)
	openAllTables(s.api.Store)
	s.api.IDs.After(s.api.Store.Newest())
	s.log.API, s.log.WriteOnly, s.log.Token = s.api, writeOnly, kinds.TokenPrefix
	s.service = kinds.NewService(s.api.Store)
	s.api.Routes, s.api.Created = s.service.Endpoints(), s.service.Caller
	s.api.Contract = apiContract()
	s.api.BaseURL = s.baseURL
	s.behavior = behavior.NewService(s.api, s.finish)
	if s.violation != nil {
		s.api.Check = s.checkContract
	}
}

// baseURL returns the base URL as the client of a call sees it.
func (s *Server) baseURL(c *engine.Call) string {
	switch {
	case s.publicURL != "":
		return s.publicURL
	case c.Direct && s.URL != "":
		return s.URL
	case s.Certificate != "":
		return "https://" + c.Request.Host
	default:
		return "http://" + c.Request.Host
	}
}

// PageURL returns the address of a page for browsers that shows what the server does.
// Its fragment contains AdminKey. It needs the field URL.
func (s *Server) PageURL() string {
	return s.URL + controlPath + "#key=" + url.QueryEscape(s.AdminKey)
}

// Close ends all delays that behaviors impose on requests, so that
// the HTTP server can stop. Requests that arrive later are not delayed.
func (s *Server) Close() {
	s.api.Close()
}

// ServeHTTP serves a request to the API, or to the control endpoints under
// /_testserver/.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead { // the HTTP server leaves out the body
		r = r.WithContext(r.Context())
		r.Method = http.MethodGet
	}
	if r.URL.Path+"/" == controlPath { // as typed in a browser
		http.Redirect(w, r, controlPath, http.StatusTemporaryRedirect)
		return
	}
	if strings.HasPrefix(r.URL.EscapedPath(), controlPath) {
		s.serveControl(w, r)
		return
	}
	c := s.api.NewCall(r)
	c.Begin()
	defer c.End()
	c.ReadBody(w)
	s.behavior.Serve(w, c)
}

// checkContract reports what a request and its response violate.
func (s *Server) checkContract(c *engine.Call, a *engine.Answer) {
	found := apiContract().Check(&contract.Exchange{
		Request: c.Request, Route: c.Endpoint.Pattern, Parameters: c.Values,
		Body: c.Body, Incomplete: c.BodyErr != nil,
		Status: a.Status, Header: a.Header, Answer: a.Body,
	}, s.strict)
	for _, violation := range found {
		s.violation(violation)
	}
}

// finish logs a call and its response. It is called before the response is
// sent, so that a client that got the response finds the request in the log.
func (s *Server) finish(c *engine.Call, a *engine.Answer, failure string) *engine.Answer {
	entry := s.log.Add(c, a, failure)
	c.End()
	s.api.Log.Info("request", "method", entry.Method, "path", entry.Path, "status", entry.Status,
		"duration", entry.Duration, "operation", entry.Operation)
	return a
}

// randomKey returns a random API key.
func randomKey() string {
	return "key_" + rand.Text()
}

func panicf(format string, arguments ...any) {
	panic("testserver: " + fmt.Sprintf(format, arguments...))
}
