package api

// This file keeps a promise: a passing fault costs time and not the run, and no
// creation is sent twice.

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api/gate"
)

const (
	minRetryWait = 500 * time.Millisecond
	maxRetryWait = 15 * time.Second
	// settleTime is how long a request is repeated that the service refuses because of
	// another write; see settles.
	settleTime = 10 * time.Second
)

type withoutRetriesKey struct{}

// withoutRetries returns a context whose requests are sent once.
func withoutRetries(ctx context.Context) context.Context {
	return context.WithValue(ctx, withoutRetriesKey{}, true)
}

// A request is a request, and what its attempts have shown.
type request struct {
	method, target string
	body           []byte
	known          secrets // that its errors must not show
	secret         bool    // the body or the response contains one

	attempts int
	refusals int       // that may pass; see settles
	settled  time.Time // when such refusals are final
	unknown  bool      // a write may have been processed
	last     string    // why the last attempt failed
}

// secretBody is a request body that can contain a secret.
type secretBody interface{ sentSecret() string }

func (c *Client) newRequest(method, target string, in any) (*request, error) {
	r := &request{method: method, target: target, known: c.secrets}
	if in == nil {
		return r, nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // escaping makes a page of HTML six times as long
	if err := encoder.Encode(in); err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	r.body = bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	r.secret = bytes.Contains(r.body, []byte("PRIVATE KEY-----"))
	if body, ok := in.(secretBody); ok && body.sentSecret() != "" {
		r.known, r.secret = r.known.with(body.sentSecret()), true
	}
	return r, nil
}

// do sends a request until its result is final. The error is an *Error if the
// service responds with a status other than 2xx.
func (c *Client) do(ctx context.Context, r *request) ([]byte, error) {
	for {
		result, err := c.attempt(ctx, r)
		if err == nil {
			if r.method != http.MethodGet {
				c.memory.write()
			}
			return result, nil
		}
		wait, again := c.again(ctx, r, err)
		if r.unknown {
			c.memory.write()
		}
		if !again {
			return nil, r.failed(ctx, err)
		}
		if cause := pause(ctx, wait); cause != nil {
			return nil, r.failed(ctx, cause)
		}
	}
}

// again decides after an attempt whether to send the request again, and when. Every
// POST that is processed creates an object, so a POST is repeated only if it got no
// connection, or if a refusal shows that it was not processed. The gate handles 429.
func (c *Client) again(ctx context.Context, r *request, err error) (time.Duration, bool) {
	refusal, answered := errors.AsType[*Error](err)
	_, lost := errors.AsType[unanswered](err)
	if ctx.Err() == nil {
		r.attempts++
		if r.last = err.Error(); answered {
			r.last = fmt.Sprintf("%d %s", refusal.Status, http.StatusText(refusal.Status))
		}
	}
	r.unknown = r.unknown || r.possiblyProcessed(err)
	switch {
	case ctx.Err() != nil || ctx.Value(withoutRetriesKey{}) != nil:
		return 0, false
	case answered && c.settles(r, refusal):
		if r.refusals++; r.refusals == 1 {
			r.settled = time.Now().Add(c.settleTime)
		}
		wait := min(c.settleTime/40<<min(r.refusals-1, 10), c.settleTime/5, time.Until(r.settled))
		return wait, wait > 0
	case r.attempts-r.refusals > c.maxRetries || r.method == http.MethodPost && (answered || lost):
		return 0, false
	case !answered:
		return backoff(c.minWait, c.maxWait, r.attempts-1, 0), !permanent(err)
	case !transient(refusal.Status):
		return 0, false
	}
	if deadline, ok := ctx.Deadline(); ok && refusal.retryAfter > time.Until(deadline) {
		refusal.tooLong = gate.TooLong(refusal.retryAfter, refusal.retryHeader, deadline)
		return 0, false
	}
	return backoff(c.minWait, c.maxWait, r.attempts-1, refusal.retryAfter), true
}

// settles reports whether a refusal may pass within seconds, because this client has
// just written: the last user of an object is about to go, or another module of its
// parent is being set. A refusal that blames a field of what was sent does not pass.
func (c *Client) settles(r *request, refusal *Error) bool {
	waits := r.method == http.MethodDelete && !r.unknown || r.method == http.MethodPut && refusal.Field == ""
	return waits && refusal.Status == http.StatusConflict && time.Since(c.memory.lastWrite()) < recent
}

// failed adds to the error of a request how often it was tried and, if the caller's
// context ended, why the last attempt failed.
func (r *request) failed(ctx context.Context, err error) error {
	if refusal, ok := errors.AsType[*Error](err); ok {
		refusal.attempts, refusal.unclear = r.attempts, r.unknown
		return err
	}
	if r.unknown {
		err = unanswered{err}
	}
	switch {
	case ctx.Err() != nil && r.attempts > 0:
		return fmt.Errorf("%w; the last of %d failed attempts: %s", err, r.attempts, r.last)
	case ctx.Err() == nil && r.attempts == 2:
		return fmt.Errorf("%w; both attempts failed", err)
	case ctx.Err() == nil && r.attempts > 2:
		return fmt.Errorf("%w; all %d attempts failed", err, r.attempts)
	}
	return err
}

func transient(status int) bool {
	switch status {
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// permanent reports whether a retry would end with the same error.
func permanent(err error) bool {
	_, isRefused := errors.AsType[refused](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	_, waited := errors.AsType[gate.WaitError](err)
	lookup, ok := errors.AsType[*net.DNSError](err)
	return isRefused || untrusted || waited || ok && lookup.IsNotFound
}

// backoff returns the wait before the next attempt: the Retry-After, or else a wait
// that doubles with each attempt. Up to half of it is added at random, so that many
// clients do not retry at the same time.
func backoff(shortest, longest time.Duration, attempt int, asked time.Duration) time.Duration {
	wait := longest
	if doubled := shortest << min(attempt, 30); doubled > 0 {
		wait = min(doubled, longest)
	}
	if asked > 0 {
		wait = asked
	}
	return wait + rand.N(min(wait, longest)/2+1)
}

// pause waits. If the context ends before that, it returns the cause.
func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Settle repeats a request while again is true for its error, for 10 seconds, and
// returns the last error. If the context ends before that, it returns the cause.
func (c *Client) Settle(ctx context.Context, err error, again func(error) bool, repeat func(context.Context) error) error {
	end := time.Now().Add(c.settleTime)
	for wait := c.settleTime / 40; again(err); wait = min(2*wait, c.settleTime/5) {
		if wait = min(wait, time.Until(end)); wait <= 0 {
			return err
		}
		if cause := pause(ctx, wait); cause != nil {
			return cause
		}
		err = repeat(ctx)
	}
	return err
}
