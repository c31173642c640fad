package api

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

const (
	firstWait = 500 * time.Millisecond
	longWait  = 15 * time.Second

	longestAsked = 5 * time.Minute // a service that is away for longer had better be asked by the next run
)

// newRetry returns the client that decides which requests are sent again.
func newRetry(config Config, transport http.RoundTripper) *retryablehttp.Client {
	return &retryablehttp.Client{
		HTTPClient:   &http.Client{Transport: transport, CheckRedirect: followRedirect},
		RetryMax:     config.MaxRetries,
		RetryWaitMin: firstWait,
		RetryWaitMax: longWait,
		CheckRetry:   sendAgain,
		Backoff:      waitBeforeRetry,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
}

type methodKey struct{}

type onceKey struct{}

// once marks a request that is not worth a retry, because there is another way.
func once(ctx context.Context) context.Context {
	return context.WithValue(ctx, onceKey{}, true)
}

func withMethod(ctx context.Context, method string) context.Context {
	return context.WithValue(ctx, methodKey{}, method)
}

// sendAgain decides after each try whether there is another. A POST makes a new
// object each time that it is processed, so it is repeated only when it surely
// was not.
func sendAgain(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, cmp.Or(err, ctx.Err()) // the error of a request that was held back says more
	}
	if ctx.Value(onceKey{}) != nil {
		return false, nil
	}
	post := ctx.Value(methodKey{}) == http.MethodPost
	if err != nil {
		if lasting(err) {
			return false, nil
		}
		return !post || neverSent(err), nil
	}
	switch resp.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return !post, nil
	}
	return false, nil
}

// lasting tells whether an error would be the same the next time.
func lasting(err error) bool {
	_, isRefused := errors.AsType[refused](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	lookup, ok := errors.AsType[*net.DNSError](err)
	return isRefused || untrusted || ok && lookup.IsNotFound
}

// neverSent tells whether an error came before the first byte of the request
// went out.
func neverSent(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// waitBeforeRetry is what the service asked for in Retry-After, or else a wait
// that doubles each time; with as much again at random, within bounds, so that
// many clients do not return together.
func waitBeforeRetry(shortest, longest time.Duration, try int, resp *http.Response) time.Duration {
	wait := longest
	if doubled := shortest << min(try, 30); doubled > 0 {
		wait = min(doubled, longest)
	}
	if resp != nil {
		if asked := retryAfter(resp.Header.Get("Retry-After")); asked > 0 {
			wait = min(asked, longestAsked)
		}
	}
	return wait + rand.N(min(wait, longest)/2+1)
}
