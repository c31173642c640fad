package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
)

// client is a client of a service.
type client struct {
	base     *url.URL
	key      string
	polite   *polite
	http     *http.Client // sends with polite
	messages io.Writer    // for progress
	requests int
	unknown  map[string]bool // members of objects that are not copied
}

const (
	requestTimeout = time.Minute
	maxResponse    = 32 << 20 // bytes
	// maxAttempts is the number of attempts of a request that fails for a passing
	// reason, other than 429.
	maxAttempts = 4
	// longestWait is the maximum time that a 429 can ask to wait.
	longestWait = 10 * time.Minute
)

// newClient returns a client for the service in the environment, for at most perMinute
// requests a minute; 0 means no limit.
func newClient(ctx context.Context, perMinute int, messages io.Writer) (*client, error) {
	address, key := os.Getenv("TUNNEL_BASE_URL"), os.Getenv("TUNNEL_API_KEY")
	if file := os.Getenv("TUNNEL_API_KEY_FILE"); key == "" && file != "" { // as the provider reads it
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, errors.New("the file in TUNNEL_API_KEY_FILE cannot be read")
		}
		key = strings.TrimSpace(string(body.FileText(content)))
	}
	if address == "" || key == "" {
		return nil, errors.New("set the environment variables TUNNEL_BASE_URL and TUNNEL_API_KEY (or TUNNEL_API_KEY_FILE) to those of " +
			"the service")
	}
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, errors.New("invalid TUNNEL_BASE_URL: expected a URL such as https://api.example.com")
	}
	polite := newPolite(ctx, perMinute, messages)
	sender := &http.Client{Transport: polite, CheckRedirect: noRedirects.CheckRedirect}
	return &client{base: base, key: key, polite: polite, http: sender, messages: messages, unknown: map[string]bool{}}, nil
}

// noRedirects keeps the key with the service that it belongs to.
var noRedirects = &http.Client{
	Timeout:       requestTimeout,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// get returns the response to a GET of a URL.
func (c *client) get(ctx context.Context, target string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, fmt.Errorf("GET %s: %w", c.path(target), err)
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("Service-Version", "2")
	c.requests++
	response, err := c.http.Do(request)
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	if err != nil {
		return nil, fmt.Errorf("GET %s: %w", c.path(target), err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, refusal{c.path(target), response.StatusCode}
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	if err == nil && len(content) > maxResponse {
		err = fmt.Errorf("GET %s: the response is larger than %d MiB", c.path(target), maxResponse>>20)
	}
	return content, err
}

// refusal is a response with a status other than 200.
type refusal struct {
	path   string
	status int
}

func (r refusal) Error() string {
	text := fmt.Sprintf("GET %s: %d %s", r.path, r.status, http.StatusText(r.status))
	if r.status == http.StatusUnauthorized {
		text += ": check TUNNEL_API_KEY"
	}
	return text
}

// path returns a URL without what is the same in all of them.
func (c *client) path(target string) string {
	return strconv.Quote(strings.TrimPrefix(target, c.base.String()))
}

// polite is a transport for a service that others use as well. It sends one request at
// a time, keeps to a number of requests per minute, and waits after a 429. A request
// that may have been processed is sent again only if it is a GET.
type polite struct {
	next     http.RoundTripper
	running  context.Context // waits end with it, because a waiting request was not processed
	interval time.Duration   // between requests; 0 means no limit
	earliest time.Time       // of the next request
	messages io.Writer
	failing  bool // the last GET failed with each attempt, so another one is not repeated
}

// newPolite returns a transport for at most perMinute requests a minute; 0 means no
// limit.
func newPolite(ctx context.Context, perMinute int, messages io.Writer) *polite {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = requestTimeout
	p := &polite{next: transport, running: ctx, messages: messages}
	if perMinute > 0 {
		p.interval = time.Minute / time.Duration(perMinute)
	}
	return p
}

// RoundTrip sends a request until the service processes it.
func (p *polite) RoundTrip(r *http.Request) (*http.Response, error) {
	var content []byte
	if r.Body != nil {
		var err error
		if content, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	for attempt := 1; ; attempt++ {
		if err := p.sleep(time.Until(p.earliest)); err != nil {
			return nil, err
		}
		p.earliest = time.Now().Add(p.interval)
		again := r.Clone(r.Context())
		again.GetBody, again.Body = nil, http.NoBody
		again.Header.Set("User-Agent", "tunnel-testserver")
		if len(content) > 0 {
			again.Body = io.NopCloser(bytes.NewReader(content))
		}
		response, err := p.next.RoundTrip(again)
		wait := time.Duration(0)
		fails := r.Method == http.MethodGet && (err != nil || response.StatusCode >= http.StatusInternalServerError)
		switch {
		case err == nil && response.StatusCode == http.StatusTooManyRequests:
			wait = retryAfter(response.Header)
			fmt.Fprintf(p.messages, "waiting %s: the service answered 429 Too Many Requests\n", wait)
			if wait > longestWait {
				return nil, fmt.Errorf("the service asks to wait %s", wait)
			}
			attempt--
		case fails && attempt < maxAttempts && !p.failing:
			wait = time.Duration(attempt) * time.Second
		default:
			if r.Method == http.MethodGet {
				p.failing = fails
			}
			return response, err
		}
		if err == nil {
			_ = response.Body.Close()
		}
		if err := p.sleep(wait); err != nil {
			return nil, err
		}
	}
}

func (p *polite) sleep(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	select {
	case <-time.After(d):
		return nil
	case <-p.running.Done():
		return errors.New("interrupted")
	}
}

// retryAfter returns how long a 429 asks to wait, at least a second.
func retryAfter(header http.Header) time.Duration {
	seconds, _ := strconv.Atoi(header.Get("Retry-After")) // 0 for a date
	return max(time.Duration(seconds)*time.Second, time.Second)
}
