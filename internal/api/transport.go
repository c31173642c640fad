package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// chain puts around a transport what every single try of a request goes
// through, outermost first.
func chain(config Config, clock *serviceClock, transport http.RoundTripper) http.RoundTripper {
	identified := identified{config, origin(config.BaseURL), transport}
	logged := logged{config.Log, wholeAnswer{config.RequestTimeout, clock, identified}}
	return newPace(config.RequestsPerMinute, config.Warn, logged)
}

// refused says that a request was kept from going out, or an answer from coming
// in, by a rule of this package. Trying again would not help.
type refused struct{ reason string }

func (r refused) Error() string { return r.reason }

// identified adds who is calling, and sends nothing to another origin than the
// service's own: not after a redirect, and not to the next page of a list.
type identified struct {
	config Config
	origin string
	next   http.RoundTripper
}

func (t identified) RoundTrip(req *http.Request) (*http.Response, error) {
	if to := origin(req.URL); to != t.origin {
		return nil, refused{fmt.Sprintf("the service at %s points to %s: the API key is not sent to another origin", t.origin, to)}
	}
	req = req.Clone(req.Context())
	for name, value := range t.config.Headers {
		req.Header.Set(name, value)
	}
	req.Header.Set("Authorization", "Bearer "+t.config.APIKey)
	req.Header.Set("Service-Version", serviceVersion)
	req.Header.Set("User-Agent", t.config.UserAgent)
	return t.next.RoundTrip(req)
}

// ReservedHeader tells whether a header is set by the client itself, so that
// Config.Headers cannot set it.
func ReservedHeader(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Authorization", "Service-Version", "User-Agent":
		return true
	}
	return false
}

// wholeAnswer reads an answer to its end before anybody sees it, so that one
// that breaks off, or is some proxy's page, counts as not received; within the
// time that one try may take, and up to the size that an answer may have. From a
// request that went out and has no such answer comes an unanswered error.
type wholeAnswer struct {
	timeout time.Duration
	clock   *serviceClock
	next    http.RoundTripper
}

func (t wholeAnswer) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Context().Err() != nil {
		return nil, context.Cause(req.Context())
	}
	ctx, cancel := t.limited(req)
	defer cancel()
	var out atomic.Bool // whether a connection took the request
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { out.Store(true) }})
	resp, err := t.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		if err = t.explained(req, err); out.Load() {
			err = unanswered{err}
		}
		return nil, err
	}
	defer resp.Body.Close()
	t.clock.note(resp.Header, time.Now())
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return nil, unanswered{t.explained(req, fmt.Errorf("the answer broke off: %w", err))}
	}
	if len(body) > maxAnswer {
		return nil, unanswered{refused{fmt.Sprintf("the answer is larger than %d MiB", maxAnswer>>20)}}
	}
	if success := resp.StatusCode/100 == 2; success && resp.StatusCode != http.StatusNoContent && !looksLikeJSON(body) {
		return nil, unanswered{fmt.Errorf("the answer (%d, %s) is not one of the service: a proxy in between, or a wrong base_url",
			resp.StatusCode, contentType(resp, body))}
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// looksLikeJSON tells whether a body can be an answer of the service: an object,
// or null for a module that is not set.
func looksLikeJSON(body []byte) bool {
	body = bytes.TrimSpace(body)
	return bytes.HasPrefix(body, []byte("{")) || string(body) == "null"
}

// linger is how long an answer to a write is still waited for once the caller
// has given up, so that what was done gets known.
const linger = 450 * time.Millisecond

// limited is the time that one try may take.
func (t wholeAnswer) limited(req *http.Request) (context.Context, context.CancelFunc) {
	caller := req.Context()
	if req.Method == http.MethodGet {
		return context.WithTimeout(caller, t.timeout)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(caller), t.timeout)
	stop := context.AfterFunc(caller, func() { time.AfterFunc(linger, cancel) })
	return ctx, func() {
		stop()
		cancel()
	}
}

func (t wholeAnswer) explained(req *http.Request, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && req.Context().Err() == nil {
		return fmt.Errorf("no answer within %s (request_timeout)", t.timeout)
	}
	return err
}

// logged reports each try, and nothing of what it carried.
type logged struct {
	log  func(context.Context, string, map[string]any)
	next http.RoundTripper
}

func (t logged) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.log == nil {
		return t.next.RoundTrip(req)
	}
	begun := time.Now()
	resp, err := t.next.RoundTrip(req)
	fields := map[string]any{"method": req.Method, "path": req.URL.Path, "duration_ms": time.Since(begun).Milliseconds()}
	if err != nil {
		fields["error"] = err.Error()
		t.log(req.Context(), "request without an answer", fields)
		return nil, err
	}
	fields["status"] = resp.StatusCode
	fields["operation_id"] = resp.Header.Get(operationIDHeader)
	t.log(req.Context(), "request answered", fields)
	return resp, nil
}

// followRedirect refuses what would turn a write into a read, and endless
// rounds. That a redirect stays within the origin is identified's to check.
func followRedirect(req *http.Request, via []*http.Request) error {
	if first := via[0]; req.Method != first.Method {
		return refused{fmt.Sprintf("the service redirects %s to %s: check base_url", first.Method, origin(req.URL)+req.URL.Path)}
	}
	if len(via) >= 5 {
		return refused{"the service redirects in circles: check base_url"}
	}
	return nil
}

// plainCause strips what net/http says around an error, the URL among it, and
// names the caller's own deadline for what it is.
func plainCause(ctx context.Context, err error) error {
	if held, ok := errors.AsType[heldBack](err); ok {
		return held
	}
	_, out := errors.AsType[unanswered](err)
	cause := context.Cause(ctx)
	switch {
	case cause != nil && out:
		return unanswered{cause}
	case cause != nil:
		return cause
	}
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	if neverSent(err) {
		return fmt.Errorf("the service at base_url cannot be reached: %w", err)
	}
	return err
}

// newMask hides the secrets of a configuration in a text of somebody else's.
func newMask(config Config) *strings.Replacer {
	var pairs []string
	const guessable = 8 // a shorter one would be found in many a word
	if len(config.APIKey) >= guessable {
		pairs = append(pairs, config.APIKey, "(API key)")
	}
	for name, value := range config.Headers {
		if len(value) >= guessable {
			pairs = append(pairs, value, "(header "+name+")")
		}
	}
	return strings.NewReplacer(pairs...)
}

func (c *Client) masked(err error) error {
	text := c.mask.Replace(err.Error())
	if text == err.Error() {
		return err
	}
	if _, out := errors.AsType[unanswered](err); out {
		return unanswered{errors.New(text)}
	}
	return errors.New(text)
}
