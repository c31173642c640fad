package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// chain puts around a transport what every single try of a request goes
// through, outermost first.
func chain(config Config, transport http.RoundTripper) http.RoundTripper {
	identified := identified{config, origin(config.BaseURL), transport}
	logged := logged{config.Log, wholeAnswer{config.RequestTimeout, identified}}
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
// that breaks off counts as not received; within the time that one try may
// take, and up to the size that an answer may have.
type wholeAnswer struct {
	timeout time.Duration
	next    http.RoundTripper
}

func (t wholeAnswer) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), t.timeout)
	defer cancel()
	resp, err := t.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return nil, t.explained(req, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return nil, t.explained(req, fmt.Errorf("the answer broke off: %w", err))
	}
	if len(body) > maxAnswer {
		return nil, refused{fmt.Sprintf("the answer is larger than %d MiB", maxAnswer>>20)}
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
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
	if cause := context.Cause(ctx); cause != nil {
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
	if text := err.Error(); c.mask.Replace(text) != text {
		return errors.New(c.mask.Replace(text))
	}
	return err
}
