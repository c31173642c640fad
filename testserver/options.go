package testserver

import (
	"log/slog"
	"strings"
	"time"
)

// Option changes how a server that [New] or [Start] makes behaves.
type Option func(*Server)

// WithAPIKey sets the admin key, which is random by default.
func WithAPIKey(key string) Option {
	return func(s *Server) { s.AdminKey = key }
}

// WithKey adds an API key. owner is the id (usr_… or bot_…) of the User or Bot that calls with it. For a key that may only
// read, see the field ReadOnlyKey of [Server].
func WithKey(key, owner string, admin bool) Option {
	return func(s *Server) { s.accounts[key] = account{owner: owner, admin: admin} }
}

// WithBaseURL sets the base URL that uri and next_page_uri begin with. Without it, the Host header of each request tells.
func WithBaseURL(url string) Option {
	return func(s *Server) { s.publicURL = strings.TrimSuffix(url, "/") }
}

// WithBasePath serves the API under a path such as "/v2"; anything else is 404. The control endpoints stay where they are.
func WithBasePath(path string) Option {
	return func(s *Server) { s.basePath = strings.TrimSuffix(path, "/") }
}

// WithLatency makes every request of the API take at least d.
func WithLatency(d time.Duration) Option {
	return func(s *Server) { s.latency = d }
}

// WithRateLimit allows n requests within any period of the length window. The next one is 429 (ERR_TUNNEL_226).
func WithRateLimit(n int, window time.Duration) Option {
	return func(s *Server) { s.window = newWindow(n, window) }
}

// WithMaxConcurrent allows n requests at the same time. One more is 429 (ERR_TUNNEL_225).
func WithMaxConcurrent(n int) Option {
	return func(s *Server) { s.slots = make(chan struct{}, n) }
}

// WithQuirks makes the server decide differently, within what the API documentation leaves open; the README lists how. The
// same seed and the same sequence of requests give the same answers.
func WithQuirks(seed uint64) Option {
	return func(s *Server) { s.SetQuirks(seed) }
}

// WithStore keeps all objects in store, see [OpenStore]. One server at a time may use a store.
func WithStore(store *Store) Option {
	return func(s *Server) { s.store = store }
}

// WithClock sets the clock of created_at, of the rate limit, of default validities and of the Date header.
func WithClock(now func() time.Time) Option {
	return func(s *Server) { s.clock = now }
}

// WithDateSkew makes the Date header differ from the clock of created_at by d; a positive d puts Date ahead.
func WithDateSkew(d time.Duration) Option {
	return func(s *Server) { s.dateSkew = d }
}

// WithFaults injects faults from the start. [New] panics if a rule is invalid.
func WithFaults(rules ...Fault) Option {
	return func(s *Server) { s.startFault = rules }
}

// WithContractCheck holds each request and each answer against the document in [OpenAPI] and calls report with each
// violation: an answer that breaks the document, or a success although the document refuses the request. report may be
// called from several goroutines; it is never given a key or a body.
func WithContractCheck(report func(error)) Option {
	return func(s *Server) { s.violation = report }
}

// WithStrictRequests makes the contract check report every request that the document refuses, also if the server
// refused it too: for tests of clients that must never send one.
func WithStrictRequests() Option {
	return func(s *Server) { s.strict = true }
}

// WithLogger logs each request: method, path, status, duration and operation id.
func WithLogger(log *slog.Logger) Option {
	return func(s *Server) { s.log = log }
}
