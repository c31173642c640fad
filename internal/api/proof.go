package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// A proof that base_url is right is a 2xx response with the documented field of
// a list, or with the id of an object. A 401, 403 or 404 is not a proof,
// because a server at a wrong address may send one too, even with a JSON body.
// Without a proof, a 404 does not mean that an object is gone.
type proof struct {
	given atomic.Bool
	mu    sync.Mutex
	asked map[string]error // why a list gave no proof, by path
}

// listPath is the path of a list and the field that holds its objects.
type listPath struct{ path, field string }

// rootList is a list that every account has. It serves objects without a list
// of their own.
var rootList = listPath{"/backends/failover", "backends"}

// UnprovenError is the error of a request with a 404 response, if nothing
// proves that base_url is right.
type UnprovenError struct {
	// Cause is the 404.
	Cause error

	base  string
	list  string
	proof error // why the list gave no proof
}

// Error says that the 404 proves nothing, and why.
func (e *UnprovenError) Error() string {
	return fmt.Sprintf("%s. The provider cannot confirm that the object no longer exists, because it could not verify base_url (%s): GET %s failed (%s)",
		e.Cause, e.base, e.list, e.proof)
}

// Unwrap returns the 404.
func (e *UnprovenError) Unwrap() error { return e.Cause }

// believe returns the error of a request. If the error means that an object is
// gone and nothing proves that base_url is right, it returns an *UnprovenError.
// It requests the list once to find a proof.
func (c *Client) believe(ctx context.Context, from listPath, err error) error {
	if !IsNotFound(err) || c.proof.given.Load() {
		return err
	}
	c.proof.mu.Lock()
	defer c.proof.mu.Unlock()
	if c.proof.given.Load() {
		return err
	}
	failed, asked := c.proof.asked[from.path]
	if !asked {
		if failed = c.ask(ctx, from); failed != nil && ctx.Err() == nil {
			if c.proof.asked == nil {
				c.proof.asked = map[string]error{}
			}
			c.proof.asked[from.path] = failed
		}
	}
	if failed == nil {
		return err
	}
	return &UnprovenError{Cause: err, base: c.base, list: from.path, proof: failed}
}

// ask requests the first page of a list, as a proof that base_url is right.
func (c *Client) ask(ctx context.Context, from listPath) error {
	answer, err := c.send(ctx, http.MethodGet, c.base+from.path, nil)
	if err != nil {
		return err
	}
	_, err = decodePage(answer.body, from.field, func(item *json.Decoder) error {
		var ignored json.RawMessage
		if err := item.Decode(&ignored); err != nil {
			return undocumented(err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.proof.given.Store(true)
	return nil
}

const (
	checkTime = 10 * time.Second
	checkWait = time.Second // before the one retry
)

// Check requests one list, to find out whether base_url and the API key are
// right. It takes at most 10 seconds, with one retry for transient errors. The
// error is nil if the service limits requests or answers with 5xx, which says
// nothing about the address and the key.
func (c *Client) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, checkTime, fmt.Errorf("no response within %s", checkTime))
	defer cancel()
	ctx = withRetries(ctx, retryNever)
	err := c.ask(ctx, rootList)
	if unavailable(err) && pause(ctx, checkWait) == nil {
		err = c.ask(ctx, rootList)
	}
	answer, answered := errors.AsType[*Error](err)
	_, limited := errors.AsType[waitError](err)
	if err == nil || limited || answered && answer.FromService && answer.Status >= 500 {
		return nil
	}
	return c.failed("GET "+rootList.path, err)
}

// unavailable reports whether another attempt could succeed.
func unavailable(err error) bool {
	if answer, ok := errors.AsType[*Error](err); ok {
		return transient(answer.Status)
	}
	return err != nil && !permanent(err)
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
