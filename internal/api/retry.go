package api

// This file keeps a promise: a passing fault costs time and not the run, and no
// creation is sent twice.

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api/gate"
)

const (
	minRetryWait  = 500 * time.Millisecond
	maxRetryWait  = 15 * time.Second
	maxRetryAfter = 5 * time.Minute // longer outages are left to the next run
)

// newRetry returns the client that decides which requests are sent again.
func newRetry(config Config, transport http.RoundTripper) *retryablehttp.Client {
	return &retryablehttp.Client{
		HTTPClient:   &http.Client{Transport: transport, CheckRedirect: checkRedirect},
		RetryMax:     config.MaxRetries,
		RetryWaitMin: minRetryWait,
		RetryWaitMax: maxRetryWait,
		CheckRetry:   checkRetry,
		Backoff:      backoff,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
}

// retries selects the errors after which a request is retried.
type retries int

const (
	retryTransient retries = iota // after every transient error
	retryUnsent                   // only if the request was certainly not processed
	retryNever
)

type retriesKey struct{}

func withRetries(ctx context.Context, allowed retries) context.Context {
	return context.WithValue(ctx, retriesKey{}, allowed)
}

// attempts records the attempts of one request.
type attempts struct {
	count   int
	last    string // why the last one failed that the caller's context did not end
	unclear bool   // one that failed may have been processed, and is a write
	write   bool
	secret  bool // the request contains a secret
	known   secrets
}

type attemptsKey struct{}

func (a *attempts) record(ctx context.Context, resp *http.Response, err error) {
	if ctx.Err() != nil {
		return
	}
	a.count++
	switch {
	case err != nil:
		_, sent := errors.AsType[unanswered](err)
		a.unclear = a.unclear || a.write && sent
		a.last = err.Error()
	case resp.StatusCode >= http.StatusBadRequest:
		a.unclear = a.unclear || a.write && (resp.StatusCode >= http.StatusInternalServerError || resp.StatusCode == http.StatusRequestTimeout)
		a.last = fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	}
}

// withAttempts adds to the error of a request how often it was tried and, if the
// caller's context ended, why the last attempt failed.
func (a *attempts) withAttempts(ctx context.Context, err error) error {
	if a.unclear {
		err = unanswered{err}
	}
	switch {
	case ctx.Err() != nil && a.count > 0:
		return fmt.Errorf("%w; the last of %d failed attempts: %s", err, a.count, a.last)
	case ctx.Err() == nil && a.count == 2:
		return fmt.Errorf("%w; both attempts failed", err)
	case ctx.Err() == nil && a.count > 2:
		return fmt.Errorf("%w; all %d attempts failed", err, a.count)
	}
	return err
}

// checkRetry decides after each attempt whether to retry. Every POST that is
// processed creates an object, so a POST is retried only if it got no
// connection. The gate handles 429.
func checkRetry(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if tried, ok := ctx.Value(attemptsKey{}).(*attempts); ok {
		tried.record(ctx, resp, err)
	}
	allowed, _ := ctx.Value(retriesKey{}).(retries)
	if ctx.Err() != nil || allowed == retryNever {
		return false, nil //nolint:nilerr // the result of the attempt is final
	}
	if err != nil {
		_, sent := errors.AsType[unanswered](err)
		return !permanent(err) && (allowed == retryTransient || !sent), nil
	}
	return allowed == retryTransient && transient(resp.StatusCode), nil
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

// backoff returns the wait before the next attempt: Retry-After, or else a wait
// that doubles with each attempt. Up to half of it is added at random, so that
// many clients do not retry at the same time.
func backoff(shortest, longest time.Duration, attempt int, resp *http.Response) time.Duration {
	wait := longest
	if doubled := shortest << min(attempt, 30); doubled > 0 {
		wait = min(doubled, longest)
	}
	if resp != nil {
		if asked, _ := gate.RetryAfter(resp); asked > 0 {
			wait = min(asked, maxRetryAfter)
		}
	}
	return wait + rand.N(min(wait, longest)/2+1)
}
