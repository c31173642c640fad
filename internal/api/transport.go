package api

// This file keeps a promise: a request goes to the service of base_url only, and
// its response is whole or an error.

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api/gate"
)

// chain wraps a transport in the layers of an attempt, outermost first: the gate, the
// log, the reading of the whole response, and the credentials.
func chain(config Config, known secrets, transport http.RoundTripper) http.RoundTripper {
	authorized := authorized{config, origin(config.BaseURL), transport}
	logged := logged{config.Log, known, bufferedTransport{config.RequestTimeout, authorized}}
	return gate.New(maxConnections, config.RequestsPerMinute, logged)
}

// refused is the error of a request or a response that this package rejects.
// Another attempt would not help.
type refused struct{ reason string }

func (r refused) Error() string { return r.reason }

// authorized adds the credentials. It rejects requests to any origin other than
// the service's own, for example after a redirect, or for the next page of a
// list.
type authorized struct {
	config Config
	origin string
	next   http.RoundTripper
}

func (t authorized) RoundTrip(req *http.Request) (*http.Response, error) {
	if other := origin(req.URL); other != t.origin {
		if !strings.EqualFold(req.URL.Hostname(), t.config.BaseURL.Hostname()) {
			other = "another host" // not named, because it can repeat a secret in a form that is not recognized
		}
		return nil, refused{fmt.Sprintf("a redirect of the service at %s points to %s. The provider does not send the API key to another "+
			"origin: check base_url and any proxy", t.origin, other)}
	}
	req = req.Clone(req.Context())
	for name, value := range t.config.Headers {
		req.Header.Set(name, value)
	}
	req.Header.Set("Authorization", "Bearer "+t.config.APIKey)
	req.Header.Set("Service-Version", serviceVersion)
	req.Header.Set("User-Agent", t.config.UserAgent)
	if req.Method == http.MethodPost {
		req.GetBody = nil // else net/http repeats the request after an HTTP/2 reset
	}
	return t.next.RoundTrip(req)
}

// ReservedHeader reports whether Config.Headers cannot set a header, because
// the client or HTTP itself does.
func ReservedHeader(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Authorization", "Service-Version", "User-Agent", "Accept", "Accept-Encoding",
		"Host", "Content-Length", "Content-Type", "Transfer-Encoding", "Connection",
		"Idempotency-Key", "X-Idempotency-Key": // net/http repeats requests that have these
		return true
	}
	return false
}

// bufferedTransport reads a response to its end before returning it, within the
// timeout of one attempt and up to the maximum size of a response. A response
// that breaks off, or that is a proxy's page, counts as not received: its error
// is unanswered. The same applies to every error after the request got a
// connection.
type bufferedTransport struct {
	timeout time.Duration
	next    http.RoundTripper
}

func (t bufferedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Context().Err() != nil {
		return nil, context.Cause(req.Context())
	}
	ctx, cancel := t.limited(req)
	defer cancel()
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent.Store(true) }})
	resp, err := t.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		if err = t.networkError(req, err); sent.Load() {
			err = unanswered{err}
		}
		return nil, err
	}
	defer resp.Body.Close()
	if err := t.read(req, resp); err != nil {
		return nil, unanswered{err}
	}
	return resp, nil
}

// read reads the body of a response, and checks that it can come from the
// service.
func (t bufferedTransport) read(req *http.Request, resp *http.Response) error {
	if resp.StatusCode == http.StatusSwitchingProtocols { // its body is the connection, which has no end
		return refused{"unexpected status 101 Switching Protocols: check base_url and any proxy"}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrIncomplete, t.networkError(req, err))
	}
	if len(body) > maxAnswer {
		return refused{fmt.Sprintf("the response is larger than %d MiB", maxAnswer>>20)}
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	switch success := resp.StatusCode/100 == 2; {
	case req.Method == http.MethodPost && resp.StatusCode/100 == 3: // following it would repeat the request
		return refused{"the service redirected a POST request: check base_url and any proxy"}
	case !success || resp.StatusCode == http.StatusNoContent:
		return nil
	case len(body) == 0 && (req.Method == http.MethodPatch || req.Method == http.MethodPut || req.Method == http.MethodDelete):
		return nil
	case !looksLikeJSON(body) && resp.Header.Get("Content-Encoding") != "": // net/http removes what it decodes
		return refused{fmt.Sprintf("the response has the Content-Encoding %q, which the provider does not accept: check any proxy",
			ShortID(printable(resp.Header.Get("Content-Encoding"))))}
	case !looksLikeJSON(body):
		return fmt.Errorf("the response (%d) is not a JSON object, so it is %w: check base_url and any proxy", resp.StatusCode, ErrNotAPI)
	case !json.Valid(body): // without a length, as in HTTP/1.0, a response that breaks off is only too short
		return fmt.Errorf("%w, or not valid JSON (status %d)", ErrIncomplete, resp.StatusCode)
	}
	return nil
}

// looksLikeJSON reports whether a body can be a response of the service: an
// object, or null for a module that is not set.
func looksLikeJSON(body []byte) bool {
	body = bytes.TrimSpace(body)
	return bytes.HasPrefix(body, []byte("{")) || string(body) == "null"
}

// writeGracePeriod is how long the response to a write is awaited after the
// caller's context ended, so that the outcome of the write is known. Common CI
// runners interrupt Terraform a second time after 7.5 s, and then it saves nothing.
const writeGracePeriod = 5 * time.Second

// limited returns a context that ends after the timeout of one attempt. For a
// write, it ends only some time after the caller's context (see
// writeGracePeriod).
func (t bufferedTransport) limited(req *http.Request) (context.Context, context.CancelFunc) {
	if req.Method == http.MethodGet {
		return context.WithTimeout(req.Context(), t.timeout)
	}
	return detachedContext(req.Context(), t.timeout, writeGracePeriod)
}

// networkError replaces technical errors of net/http with sentences for users.
func (t bufferedTransport) networkError(req *http.Request, err error) error {
	timeout, _ := errors.AsType[net.Error](err)
	operation, _ := errors.AsType[*net.OpError](err)
	_, unknownCA := errors.AsType[x509.UnknownAuthorityError](err)
	_, withoutTLS := errors.AsType[tls.RecordHeaderError](err)
	switch {
	case withoutTLS:
		return refused{"base_url begins with https://, but the server does not use TLS on this port: check the scheme and the port of base_url"}
	case unknownCA:
		return fmt.Errorf(
			"%w. If the service has a certificate of a private CA, set ca_certificate in the provider block, or TUNNEL_CA_CERTIFICATE, to it", err,
		)
	case operation != nil && operation.Op == "remote error": // a TLS alert
		return fmt.Errorf("%w. A gateway may require a client certificate, or not accept the one that is set: check client_certificate "+
			"and client_key in the provider block", err)
	case req.Context().Err() == nil && (errors.Is(err, context.DeadlineExceeded) || timeout != nil && timeout.Timeout()):
		return fmt.Errorf("%w %s (request_timeout)", ErrNoResponse, t.timeout)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		operation != nil && (operation.Op == "read" || operation.Op == "write"):
		return errors.New("the service or a proxy closed the connection before the response was complete")
	// Not shown, because it repeats a part of the response
	case strings.HasPrefix(err.Error(), "net/http: HTTP/1.x transport connection broken"):
		return errors.New("the response is not valid HTTP: check base_url and any proxy")
	}
	return err
}

// logged logs each attempt, without its content.
type logged struct {
	log   func(context.Context, string, map[string]any)
	known secrets
	next  http.RoundTripper
}

func (t logged) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.log == nil {
		return t.next.RoundTrip(req)
	}
	begun := time.Now()
	resp, err := t.next.RoundTrip(req)
	fields := map[string]any{
		"method":      req.Method,
		"path":        t.known.redact(shortPath(req.URL.Path)),
		"duration_ms": time.Since(begun).Milliseconds(),
	}
	if err != nil {
		fields["error"] = t.known.redact(err.Error())
		t.log(req.Context(), "request failed", fields)
		return nil, err
	}
	fields["status"] = resp.StatusCode
	id := resp.Header.Get(operationIDHeader)
	if isLong(id) {
		id = redacted
	}
	fields["operation_id"] = t.known.redact(id)
	t.log(req.Context(), "response received", fields)
	return resp, nil
}

// shortPath shortens the ids in a path.
func shortPath(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = ShortID(part)
	}
	return strings.Join(parts, "/")
}

// checkRedirect rejects redirects of a write, whose response would say nothing
// about the object, and endless ones. bufferedTransport rejects the redirects
// of a POST, and authorized those to another origin.
func checkRedirect(_ *http.Request, via []*http.Request) error {
	switch first := via[0]; {
	case first.Method != http.MethodGet:
		return refused{fmt.Sprintf("the service redirected a %s request: check base_url and any proxy", first.Method)}
	case len(via) >= 5:
		return refused{"redirect loop: check base_url"}
	}
	return nil
}

// checkProxy returns an error if a proxy does not open the connection to the
// service. The proxy's response does not come from the service.
func checkProxy(_ context.Context, proxy *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	text := fmt.Sprintf("the proxy %s refused the connection with %d %s",
		printable(proxy.Host), answer.StatusCode, http.StatusText(answer.StatusCode))
	if answer.StatusCode < http.StatusInternalServerError { // 407 for example
		return fmt.Errorf("%w: %w", ErrProxy, refused{text})
	}
	return fmt.Errorf("%w: %s", ErrProxy, text)
}

// explain removes what net/http adds to an error, such as the URL. If the
// caller's context ended, it returns the cause of that.
func explain(ctx context.Context, err error) error {
	if waited, ok := errors.AsType[gate.WaitError](err); ok {
		return waited
	}
	_, sent := errors.AsType[unanswered](err)
	cause := context.Cause(ctx)
	switch {
	case cause != nil && sent:
		return unanswered{cause}
	case cause != nil:
		return cause
	}
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	operation, _ := errors.AsType[*net.OpError](err)
	switch {
	case operation != nil && operation.Op == "dial":
		return fmt.Errorf("could not connect to the service at base_url: %w", err)
	case operation != nil && operation.Op == "proxyconnect":
		return fmt.Errorf("%w: %w", ErrProxy, operation.Err)
	}
	return err
}
