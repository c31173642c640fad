package testserver

import (
	"log/slog"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// Option configures a server that [New] or [Start] creates.
type Option func(*Server)

// WithAPIKey sets the admin key. Defaults to a random key.
func WithAPIKey(key string) Option {
	return func(s *Server) { s.AdminKey = key }
}

// WithBaseURL sets the base URL of uri and next_page_uri. Defaults to the Host
// header of each request.
func WithBaseURL(url string) Option {
	return func(s *Server) { s.publicURL = strings.TrimSuffix(url, "/") }
}

// Store holds all objects of a server in memory. If it was opened with
// [OpenStore], it also keeps them in a file.
type Store = store.Store

// OpenStore opens the store in a directory and loads the objects of earlier
// servers. It creates the directory and the file if necessary. It returns an
// error if another process has the store open, or if the file is damaged.
func OpenStore(dir string) (*Store, error) { return store.Open(dir, openAllTables) }

// openAllTables creates the tables of a server.
func openAllTables(store *store.Store) {
	originTable.Open(store)
	kinds.OpenTables(store)
}

// WithStore keeps all objects in store. See [OpenStore]. Only one server at a
// time can use a store.
func WithStore(store *Store) Option {
	return func(s *Server) { s.api.Store = store }
}

// WithClock sets the clock for created_at, the rate limit, default validity
// periods, the Date header and lags. [Server.SetClock] moves the time of the server
// ahead of it.
func WithClock(now func() time.Time) Option {
	return func(s *Server) { s.api.Clock = now }
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
