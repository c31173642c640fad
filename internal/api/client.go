// Package api is a client for the service's HTTP API: one Client, one file for
// each group of endpoints, and one generic type for each of the two kinds of
// endpoints, Collection and Module. It does not depend on Terraform.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	casejson "sigs.k8s.io/json"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api/gate"
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
	// RereadKey, if set, returns the API key again, which can be another one by
	// then. It is called after a 401, and the request is sent once more.
	RereadKey func() (string, error)
	// Headers are sent with every request. They cannot replace the client's own;
	// see ReservedHeader.
	Headers map[string]string
	// UserAgent identifies the caller, as product/version.
	UserAgent string
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
	// Warn, if set, receives messages that users should see although nothing
	// failed.
	Warn func(ctx context.Context, message string, fields map[string]any)
}

// Client sends requests to one service with one API key. It is safe for
// concurrent use.
type Client struct {
	base        string
	retry       *retryablehttp.Client
	secrets     secrets
	bulkReads   bool
	collections sync.Map // path to *Collection
	sightings   sightings
	// contradictions are the paths at which a 404 and a list disagreed for long.
	contradictions sync.Map
	searchDelay    time.Duration
	moduleWait     time.Duration
	settleTime     time.Duration
}

// New returns a client for a configuration.
func New(config Config) *Client {
	return newClient(config, newTransport())
}

// BaseURL returns the base URL of the service.
func (c *Client) BaseURL() string { return c.base }

// newClient returns a client that sends its requests through a transport.
func newClient(config Config, transport http.RoundTripper) *Client {
	known := newSecrets(config)
	return &Client{
		base:      strings.TrimSuffix(config.BaseURL.String(), "/"),
		secrets:   known,
		retry:     newRetry(config, chain(config, known, transport)),
		bulkReads: config.BulkReads,

		searchDelay: searchDelay,
		moduleWait:  moduleWait,
		settleTime:  settleTime,
	}
}

// An answer is a successful response of the service.
type answer struct {
	body   []byte
	date   time.Time // by the service's clock, or the local time if the response has no date
	status int
}

// secretBody is a request body that can contain a secret.
type secretBody interface{ sentSecret() string }

// send sends one request, with the retries that its method and the context
// allow. The target is an escaped URL. The error is an *Error if the service
// responds with a status other than 2xx. A write that names an object which
// this client has just created is repeated while the service does not know it.
func (c *Client) send(ctx context.Context, method, target string, in any) (answer, error) {
	var text bytes.Buffer
	known, secret := c.secrets, false // whether the request contains a secret
	if in != nil {
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false) // escaping makes a page of HTML six times as long
		if err := encoder.Encode(in); err != nil {
			return answer{}, fmt.Errorf("encode the request: %w", err)
		}
		text.Truncate(text.Len() - len("\n"))
		if body, ok := in.(secretBody); ok && body.sentSecret() != "" {
			known, secret = known.with(body.sentSecret()), true
		}
		secret = secret || bytes.Contains(text.Bytes(), []byte("PRIVATE KEY-----"))
	}
	var result answer
	unclear := false // an earlier repetition may have been processed
	once := func(ctx context.Context) (err error) {
		tried := &attempts{write: method != http.MethodGet, secret: secret, known: known, unclear: unclear}
		result, err = c.sendOnce(ctx, method, target, text.Bytes(), tried)
		unclear = tried.unclear
		return err
	}
	err := once(ctx)
	if method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch {
		err = c.Settle(ctx, err, func(err error) bool { return c.unknownHere(err, target, text.Bytes()) }, once)
	}
	if err != nil && unclear {
		err = unanswered{err} // also if the context ended during a wait
	}
	return result, err
}

// unknownHere reports whether a service refused a request because the replica
// that received it may not know an object that this client has just created: a
// parent in the path, or an object that the blamed field of the body names. Only a
// JSON object is such a refusal: anything else may be a proxy's response to a POST
// that was processed.
func (c *Client) unknownHere(err error, target string, body []byte) bool {
	refusal, ok := errors.AsType[*Error](err)
	if !ok || !refusal.structured {
		return false
	}
	switch refusal.Status {
	case http.StatusNotFound, http.StatusBadRequest, http.StatusUnprocessableEntity:
	default:
		return false
	}
	if root := fieldRoot.FindString(refusal.Field); root != "" {
		var members map[string]json.RawMessage
		if json.Unmarshal(body, &members) != nil {
			return false
		}
		body = members[root]
	}
	return c.sightings.isFresh(func(id string) bool {
		return refusal.Status == http.StatusNotFound && strings.Contains(target, "/"+url.PathEscape(id)+"/") ||
			bytes.Contains(body, []byte(strconv.Quote(id)))
	})
}

// fieldRoot is the first name in a field such as backends[0].
var fieldRoot = regexp.MustCompile(`^[A-Za-z0-9_]+`)

func (c *Client) sendOnce(ctx context.Context, method, target string, text []byte, tried *attempts) (answer, error) {
	var body io.Reader
	if len(text) > 0 {
		body = bytes.NewReader(text)
	}
	if method == http.MethodPost {
		ctx = withRetries(ctx, retryUnsent)
	}
	ctx = context.WithValue(ctx, attemptsKey{}, tried)
	req, err := retryablehttp.NewRequestWithContext(ctx, method, target, body)
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.retry.Do(req)
	if err != nil {
		return answer{}, tried.withAttempts(ctx, explain(ctx, err))
	}
	defer resp.Body.Close()
	received, err := io.ReadAll(resp.Body)
	if err != nil {
		return answer{}, err
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		if resp.Request.Response != nil { // the result of a redirect says nothing about the object
			return answer{}, refused{
				fmt.Sprintf(
					"the service redirected the request, and the response was %d %s: check base_url and any proxy", resp.StatusCode,
					http.StatusText(resp.StatusCode),
				),
			}
		}
		secret := tried.secret || hasLongWord(strings.ReplaceAll(strings.TrimPrefix(target, c.base), "/", " ")) // a key in the wrong place
		refusal := newError(resp, received, tried.known, secret)
		refusal.attempts, refusal.unclear = tried.count, tried.unclear
		return answer{}, refusal
	}
	return answer{received, gate.DateOf(resp), resp.StatusCode}, nil
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
