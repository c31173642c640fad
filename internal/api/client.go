// Package api is a client for the service's HTTP API: one Client, one file for
// each group of endpoints, and one generic type for each of the two kinds of
// endpoints, Collection and Module. It does not depend on Terraform.
//
// It believes less than other clients do, in three places: a POST that may have been
// processed is never sent again (outcome.go, retry.go); an object is gone only if two
// responses agree (gone.go); a page of a list may prove that an object did not change,
// but never that it did (list.go).
package api

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	casejson "sigs.k8s.io/json"
)

const (
	// DefaultMaxRetries is the default of Config.MaxRetries.
	DefaultMaxRetries = 4
	// DefaultRequestTimeout is the default of Config.RequestTimeout.
	DefaultRequestTimeout = 30 * time.Second

	serviceVersion = "2"
	maxConnections = 10
	maxAnswer      = 10 << 20         // bytes
	maxObject      = 4 << 20          // bytes of one object
	idleTimeout    = 30 * time.Second // load balancers commonly close idle connections after 60 s
)

// Config is the configuration of a Client.
type Config struct {
	// BaseURL is the address that all paths are appended to; see ParseBaseURL.
	BaseURL *url.URL
	// APIKey is sent as a bearer token, to the origin of BaseURL only.
	APIKey string
	// Headers are sent with every request. They cannot replace the client's own;
	// see ReservedHeader.
	Headers map[string]string
	// UserAgent identifies the caller, as product/version.
	UserAgent string
	// TLS is how connections to the service are secured; nil for the defaults.
	TLS *tls.Config
	// MaxRetries is the maximum number of retries for transient errors; 0 turns
	// retries off.
	MaxRetries int
	// RequestTimeout limits each attempt, from the first byte sent to the last
	// byte received.
	RequestTimeout time.Duration
	// BulkReads allows list pages to answer reads of single objects.
	BulkReads bool
	// RequestsPerMinute is the maximum number of requests per 60 seconds; 0 for
	// no maximum.
	RequestsPerMinute int
	// Log, if set, receives the method, path, status, duration and operation id
	// of every attempt, but never a body or a header.
	Log func(ctx context.Context, message string, fields map[string]any)
}

// Client sends requests to one service with one API key. It is safe for
// concurrent use.
type Client struct {
	base        string
	http        *http.Client
	secrets     secrets
	bulkReads   bool
	maxRetries  int
	collections sync.Map // path to *Collection
	memory      memory

	// Tests change these waits.
	minWait, maxWait, searchDelay, settleTime time.Duration
}

// New returns a client for a configuration.
func New(config Config) *Client {
	return newClient(config, newTransport(func(t *http.Transport) { t.TLSClientConfig = config.TLS }))
}

// BaseURL returns the base URL of the service.
func (c *Client) BaseURL() string { return c.base }

// newClient returns a client that sends its requests through a transport.
func newClient(config Config, transport http.RoundTripper) *Client {
	known := newSecrets(config)
	return &Client{
		base:       strings.TrimSuffix(config.BaseURL.String(), "/"),
		http:       &http.Client{Transport: chain(config, known, transport), CheckRedirect: checkRedirect},
		secrets:    known,
		bulkReads:  config.BulkReads,
		maxRetries: config.MaxRetries,

		minWait: minRetryWait, maxWait: maxRetryWait, searchDelay: searchDelay, settleTime: settleTime,
	}
}

// attempt sends a request once, and returns the body of a successful response.
func (c *Client) attempt(ctx context.Context, r *request) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, r.target, bytes.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if len(r.body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, explain(ctx, err)
	}
	defer resp.Body.Close()
	received, err := io.ReadAll(resp.Body)
	switch success := resp.StatusCode/100 == 2; {
	case err != nil || success:
		return received, err
	case resp.Request.Response != nil: // the result of a redirect says nothing about the object
		return nil, refused{fmt.Sprintf(
			"the service redirected the request, and the response was %d %s: check base_url and any proxy", resp.StatusCode,
			http.StatusText(resp.StatusCode),
		)}
	}
	secret := r.secret || slices.ContainsFunc(strings.Split(strings.TrimPrefix(r.target, c.base), "/"), isLong) // a key in the wrong place
	return nil, newError(resp, received, r.known, secret)
}

// failed returns the error of an operation, such as "read TLS certificate
// cert_2: 404 Not Found". The error contains no secret that was sent.
func (c *Client) failed(operation string, err error) error {
	return fmt.Errorf("%s: %w", printable(operation), c.secrets.safe(err))
}

// decode decodes the JSON of a response. Unknown fields are ignored, also those
// that differ from a documented field only in case.
func decode[T any](body []byte) (T, error) {
	var object T
	if len(body) > maxObject {
		return object, refused{fmt.Sprintf("expected objects of at most %d MiB; found one of %d bytes", maxObject>>20, len(body))}
	}
	if len(body) == 0 {
		return object, undocumented(errors.New("it has no body"))
	}
	if err := casejson.UnmarshalCaseSensitivePreserveInts(body, &object); err != nil {
		return object, undocumented(err)
	}
	return object, nil
}

// undocumented returns the error for a successful response that does not have
// the documented form.
func undocumented(err error) error {
	return fmt.Errorf("unexpected response: %w", inWords(err))
}

var pathParameter = regexp.MustCompile(`\{[a-z_]+\}`)

// fill replaces the parameters of a documented path with ids, in order, and
// escapes them. It returns an error for the first id that is not valid in a
// path.
func fill(path string, ids ...string) (string, error) {
	var wrong error
	filled := pathParameter.ReplaceAllStringFunc(path, func(string) string {
		id := ids[0]
		ids = ids[1:]
		if err := checkID(id); err != nil && wrong == nil {
			wrong = err
		}
		return url.PathEscape(id)
	})
	return filled, wrong
}
