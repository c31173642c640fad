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
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"
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
	created     sync.Map // paths of the objects that this client created
	searchDelay time.Duration
	moduleWait  time.Duration
	seen, gone  atomic.Int64 // objects that exist, and objects that do not exist
	warned      atomic.Bool
}

// New returns a client for a configuration.
func New(config Config) *Client {
	return newClient(config, newTransport())
}

func newTransport() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxConnsPerHost = maxConnections
	transport.MaxIdleConnsPerHost = maxConnections
	transport.IdleConnTimeout = idleTimeout
	transport.OnProxyConnectResponse = checkProxy
	return transport
}

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
	}
}

// An answer is a successful response of the service.
type answer struct {
	body []byte
	date time.Time // by the service's clock, or the local time if the response has no date
}

// privateKey is a request body that contains a private key.
type privateKey interface{ holdsPrivateKey() }

// send sends one request, with the retries that its method and the context
// allow. The target is an escaped URL. The error is an *Error if the service
// responds with a status other than 2xx.
func (c *Client) send(ctx context.Context, method, target string, in any) (answer, error) {
	var body io.Reader
	var secret bool // the request contains a private key, or another text that can be a secret in a wrong place
	if in != nil {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false) // escaping makes a page of HTML six times as long
		if err := encoder.Encode(in); err != nil {
			return answer{}, fmt.Errorf("encode the request: %w", err)
		}
		_, hasKey := in.(privateKey)
		secret = hasKey || bytes.Contains(text.Bytes(), []byte("PRIVATE KEY-----"))
		body = bytes.NewReader(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	}
	if method == http.MethodPost {
		ctx = withRetries(ctx, retryUnsent)
	}
	tried := &attempts{}
	ctx = context.WithValue(ctx, attemptsKey{}, tried)
	req, err := retryablehttp.NewRequestWithContext(ctx, method, target, body)
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Accept", "application/json")
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.retry.Do(req)
	if err != nil {
		return answer{}, tried.explain(ctx, explain(ctx, err))
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return answer{}, err
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		if resp.Request.Response != nil { // the result of a redirect says nothing about the object
			return answer{}, refused{fmt.Sprintf("the service redirected the request, and the response was %d %s: check base_url and any proxy", resp.StatusCode, http.StatusText(resp.StatusCode))}
		}
		secret = secret || hasLongWord(strings.ReplaceAll(strings.TrimPrefix(target, c.base), "/", " "))
		refusal := newError(resp, text, c.secrets, secret)
		refusal.attempts = tried.count
		return answer{}, refusal
	}
	return answer{text, dateOf(resp)}, nil
}

// dateOf returns the date of a response, or the local time if it has none.
func dateOf(resp *http.Response) time.Time {
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		return date
	}
	return time.Now()
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
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("unexpected end of JSON")
	}
	return fmt.Errorf("unexpected response: %w", err)
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
