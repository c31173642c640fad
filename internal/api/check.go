package api

// This file keeps a promise: a wrong address or key is one error, before
// anything is planned.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api/gate"
)

// verify requests the first page of a list that every account has. It returns
// an error unless the response is a documented list, which shows that base_url
// and the API key are right.
func (c *Client) verify(ctx context.Context) error {
	r, err := c.newRequest(http.MethodGet, c.base+RootKind.Path, nil)
	if err != nil {
		return err
	}
	body, err := c.do(ctx, r)
	if err != nil {
		return err
	}
	if _, _, err = decodePage(body, RootKind.ListField); err != nil {
		return fmt.Errorf("%w, so the response is %w", err, ErrNotAPI)
	}
	return nil
}

var (
	// ErrNotAPI is wrapped by the error of a successful response that is not one
	// of the API.
	ErrNotAPI = errors.New("not from the API")
	// ErrProxy begins the error of a proxy, which says nothing about the service.
	ErrProxy = errors.New("could not connect through the proxy that HTTPS_PROXY or HTTP_PROXY names")
	// ErrIncomplete begins the error of a response that breaks off.
	ErrIncomplete = errors.New("the response is incomplete")
	// ErrNoResponse begins the error of a request that timed out.
	ErrNoResponse = errors.New("no response within")
)

const (
	checkTime = 10 * time.Second
	checkWait = time.Second // before the one retry
)

// Check requests one list, to find out whether base_url and the API key are
// right. It takes at most 10 seconds, with one retry for transient errors. The
// error is nil if the service limits requests or answers with 5xx, which says
// nothing about the address and the key.
func (c *Client) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, checkTime, fmt.Errorf("%w %s", ErrNoResponse, checkTime))
	defer cancel()
	ctx = gate.WithPatience(withoutRetries(ctx), 0)
	err := c.verify(ctx)
	if unavailable(err) && pause(ctx, checkWait) == nil {
		err = c.verify(ctx)
	}
	answer, answered := errors.AsType[*Error](err)
	if err == nil || answered && (answer.Status == http.StatusTooManyRequests || answer.FromService && answer.Status >= 500) {
		return nil
	}
	return c.failed("GET "+RootKind.Path, err)
}

// unavailable reports whether another attempt could succeed.
func unavailable(err error) bool {
	if answer, ok := errors.AsType[*Error](err); ok {
		return transient(answer.Status)
	}
	return err != nil && !permanent(err)
}
