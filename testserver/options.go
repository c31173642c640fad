package testserver

import (
	"log/slog"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// Option configures a server that [New] or [Start] creates.
type Option func(*Server)

// WithAPIKey sets the admin key. Defaults to a random key.
func WithAPIKey(key string) Option {
	return func(s *Server) { s.AdminKey = key }
}

// WithKey adds an API key. owner is the id (usr_… or bot_…) of the User or Bot
// that uses the key. For a read-only key, see the field ReadOnlyKey of
// [Server].
func WithKey(key, owner string, admin bool) Option {
	return func(s *Server) { s.api.Accounts[key] = engine.Account{Owner: owner, Admin: admin} }
}

// WithBaseURL sets the base URL of uri and next_page_uri. Defaults to the Host
// header of each request.
func WithBaseURL(url string) Option {
	return func(s *Server) { s.publicURL = strings.TrimSuffix(url, "/") }
}

// WithBasePath serves the API under a path such as "/v2". Other paths return 404.
// The paths of the control endpoints do not change.
func WithBasePath(path string) Option {
	return func(s *Server) { s.api.BasePath = strings.TrimSuffix(path, "/") }
}

// WithLatency sets the minimum duration of API requests.
func WithLatency(d time.Duration) Option {
	return func(s *Server) { s.behave(func(b *behavior) { b.latency = d }) }
}

// WithRateLimit allows n requests within any window of the given length.
// Further requests return 429 (ERR_TUNNEL_226).
func WithRateLimit(n int, window time.Duration) Option {
	return func(s *Server) { s.behave(func(b *behavior) { b.limits.SetRate(n, window) }) }
}

// WithMaxConcurrent allows n concurrent requests. Further requests return 429
// (ERR_TUNNEL_225).
func WithMaxConcurrent(n int) Option {
	return func(s *Server) { s.behave(func(b *behavior) { b.limits.SetConcurrent(n) }) }
}

// WithQuirks makes the server choose other behavior where the API documentation
// leaves it open. docs/reference.md lists the quirks. The same seed and sequence of
// requests give the same responses.
func WithQuirks(seed uint64) Option {
	return func(s *Server) { s.SetQuirks(seed) }
}

// WithNamedQuirks is like [WithQuirks] with quirks by name. See [QuirkNames].
func WithNamedQuirks(names ...string) Option {
	return func(s *Server) { s.SetNamedQuirks(names...) }
}

// WithNormalizer makes the server change values in its responses, like a
// service that normalizes the values that it stores. The seed selects the
// rules. See [Server.SetNormalizer].
func WithNormalizer(seed uint64) Option {
	return func(s *Server) { s.SetNormalizer(seed) }
}

// WithNormalRules is like [WithNormalizer] with rules by name. See
// [NormalRules].
func WithNormalRules(names ...string) Option {
	return func(s *Server) { s.SetNormalRules(names...) }
}

// WithRequireReserved makes edges accept only reserved domains (with port 443)
// and reserved addresses in hostports, as public services do.
func WithRequireReserved() Option {
	return func(s *Server) { s.requireReserved = true }
}

// WithStore keeps all objects in store. See [OpenStore]. Only one server at a
// time can use a store.
func WithStore(store *Store) Option {
	return func(s *Server) {
		if store != nil {
			s.api.Store = store.objects
		}
	}
}

// WithClock sets the clock for created_at, the rate limit, default validity
// periods, the Date header and lags. [Server.SetClock] moves the time of the server
// ahead of it.
func WithClock(now func() time.Time) Option {
	return func(s *Server) { s.api.Clock = now }
}

// WithDateSkew makes the Date header differ by d from the clock that sets
// created_at. If d is positive, Date is ahead.
func WithDateSkew(d time.Duration) Option {
	return func(s *Server) { s.api.DateSkew = d }
}

// WithTLS makes [Start] serve HTTPS with HTTP/1.1 and HTTP/2. See
// [Server.EnableTLS].
func WithTLS() Option {
	return func(s *Server) { s.tls = true }
}

// WithFaults injects faults from the start. [New] panics if a rule is invalid.
func WithFaults(rules ...Fault) Option {
	return func(s *Server) { s.startFaults = rules }
}

// WithContractCheck validates each request and response against the document in
// [OpenAPI] and calls report with each violation: a response that the document
// does not allow, or a success for a request that it does not allow. report
// must be safe for concurrent use. The errors contain no keys and no bodies.
func WithContractCheck(report func(error)) Option {
	return func(s *Server) { s.violation = report }
}

// WithStrictRequests makes the contract check report every request that the
// document does not allow, even if the server refuses it. Use it to test that a
// client never sends such a request.
func WithStrictRequests() Option {
	return func(s *Server) { s.strict = true }
}

// WithLogger logs each request: method, path, status, duration and operation
// id.
func WithLogger(log *slog.Logger) Option {
	return func(s *Server) { s.api.Log = log }
}
