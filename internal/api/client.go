// Package api is the service's HTTP API in Go: one Client, one file for each
// group of endpoints, and one generic type for each of the two shapes that the
// endpoints have (Collection and Module). It knows nothing of Terraform.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

const (
	// DefaultMaxRetries is how often a request is sent again by default.
	DefaultMaxRetries = 4
	// DefaultRequestTimeout is how long one request may take by default.
	DefaultRequestTimeout = 30 * time.Second

	serviceVersion = "2"
	maxConnections = 10
	maxAnswer      = 10 << 20 // bytes
)

// Config is what a Client needs to know.
type Config struct {
	// BaseURL is the address that all paths are appended to; see ParseBaseURL.
	BaseURL *url.URL
	// APIKey is sent as a bearer token, to the origin of BaseURL only.
	APIKey string
	// Headers are sent with every request. They cannot replace Authorization,
	// Service-Version and User-Agent.
	Headers map[string]string
	// UserAgent names the caller, as product/version.
	UserAgent string
	// MaxRetries is how often a request is sent again after a passing fault;
	// 0 turns retries off.
	MaxRetries int
	// RequestTimeout limits each try, from the first byte sent to the last byte
	// received.
	RequestTimeout time.Duration
	// BulkReads lets pages of lists answer reads of single objects.
	BulkReads bool
	// RequestsPerMinute is the limit to begin with; where it is 0, the limit is
	// learnt from the service's refusals.
	RequestsPerMinute int
	// Journal is a folder in which creations that are under way leave a note each,
	// so that a later process finds the objects of one that was killed. Where it
	// is "", nothing outlives the process.
	Journal string
	// Log, where set, is told of every answer: method, path, status, duration
	// and operation id; never of a body or a header.
	Log func(ctx context.Context, message string, fields map[string]any)
	// Warn, where set, is told when the service begins to limit requests, once,
	// and of every object that was found after the answer to its creation got
	// lost.
	Warn func(ctx context.Context, message string, fields map[string]any)
}

// A Client speaks to one service with one API key. It may be used by many
// goroutines at once.
type Client struct {
	base  string
	retry *retryablehttp.Client
	mask  *strings.Replacer
	warn  func(context.Context, string, map[string]any)

	bulkReads bool
	walks     sync.Map // path to *walk

	clock   *serviceClock
	claims  *claims
	journal *journal
	looks   []time.Duration
}

// New returns a client for the service that config names.
func New(config Config) *Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxConnsPerHost = maxConnections
	transport.MaxIdleConnsPerHost = maxConnections

	return newClient(config, transport)
}

// newClient returns a client whose requests end at a transport.
func newClient(config Config, transport http.RoundTripper) *Client {
	clock := &serviceClock{}
	return &Client{
		base:  strings.TrimSuffix(config.BaseURL.String(), "/"),
		mask:  newMask(config),
		warn:  config.Warn,
		retry: newRetry(config, chain(config, clock, transport)),

		bulkReads: config.BulkReads,

		clock:   clock,
		claims:  newClaims(),
		journal: newJournal(config),
		looks:   looks,
	}
}

// send makes one request, with the retries that its method allows, and returns
// the body of a successful answer, nil where it has none. The path must be
// escaped. The errors are *Error for an answer that is no success, and otherwise
// whatever kept the answer from coming.
func (c *Client) send(ctx context.Context, method, path string, in any) ([]byte, error) {
	return c.sendURL(ctx, method, c.base+path, in)
}

func (c *Client) sendURL(ctx context.Context, method, target string, in any) ([]byte, error) {
	_, answer, err := c.exchange(ctx, method, target, in)
	return answer, err
}

// delete makes a DELETE. Only 204 says that it was done; after any other answer
// that claims success, and after one that leaves it open, it looks.
func (c *Client) delete(ctx context.Context, path string) error {
	status, _, err := c.exchange(ctx, http.MethodDelete, c.base+path, nil)
	if status == http.StatusNoContent || err != nil && !inDoubt(err) {
		return err
	}
	if err == nil {
		err = fmt.Errorf("it was answered with %d, not with 204: a proxy in between, or a wrong base_url", status)
	}
	answer, look := c.send(ctx, http.MethodGet, path, nil)
	if IsGone(look) || look == nil && unset(answer) {
		return nil
	}
	return err
}

func (c *Client) exchange(ctx context.Context, method, target string, in any) (status int, body []byte, err error) {
	var encoded io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return 0, nil, fmt.Errorf("encode the request: %w", err)
		}
		encoded = bytes.NewReader(text)
	}
	req, err := retryablehttp.NewRequestWithContext(withMethod(ctx, method), method, target, encoded)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Accept", "application/json")
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}

	resp, err := c.retry.Do(req)
	if err != nil {
		return 0, nil, c.masked(plainCause(ctx, err))
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, nil, err
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return 0, nil, newError(resp, answer, c.mask)
	}
	return resp.StatusCode, answer, nil
}

// decode reads an answer's JSON. Fields that the contract does not name are
// passed over.
func decode[T any](answer []byte) (T, error) {
	var object T
	if err := json.Unmarshal(answer, &object); err != nil {
		return object, fmt.Errorf("the answer is not what the API documents: %w", err)
	}
	return object, nil
}

// join makes a path of elements that are not escaped yet.
func join(elements ...string) (string, error) {
	var path strings.Builder
	for _, element := range elements {
		escaped, err := segment(element)
		if err != nil {
			return "", err
		}
		path.WriteString("/" + escaped)
	}
	return path.String(), nil
}

// segment escapes one element of a path.
func segment(id string) (string, error) {
	switch id {
	case "", ".", "..":
		return "", fmt.Errorf("%q cannot be an id", id)
	}
	return url.PathEscape(id), nil
}
