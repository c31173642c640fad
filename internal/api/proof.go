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

// A proof that base_url is right is a 2xx answer with the documented field of a
// list, or with the id of an object. A service that answers 401, 403 or 404 may
// do so at any address, and so may a web server with a JSON page for "not found".
// Without proof, no object is believed to be gone.
type proof struct {
	given atomic.Bool
	mu    sync.Mutex
	asked map[string]error // by path of the list: why it gave no proof
}

// listPath is the path of a list and the field that holds its objects.
type listPath struct{ path, field string }

// rootList is a list that every account has, for what has no list of its own.
var rootList = listPath{"/backends/failover", "backends"}

// UnprovenError is the error of a request that was answered with 404 although
// nothing proves that base_url is right.
type UnprovenError struct {
	// Cause is the 404.
	Cause error

	base  string
	list  string
	proof error // why the list gave no proof
}

// Error says what is known.
func (e *UnprovenError) Error() string {
	return fmt.Sprintf("%s. The provider cannot confirm that the object no longer exists, because it could not verify base_url (%s): GET %s failed (%s)",
		e.Cause, e.base, e.list, e.proof)
}

// Unwrap returns the 404.
func (e *UnprovenError) Unwrap() error { return e.Cause }

// believe returns the error of a request, as an *UnprovenError if it says that
// an object is gone and nothing proves that base_url is right. It asks for the
// list, once.
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

// ask asks for the first page of a list, as a proof that base_url is right.
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

// Check asks for one list, to find out whether address and key are right. It
// takes 10 seconds at most, with one retry for transient errors. The error is
// nil if the service limits requests or is out of order, which says nothing
// about address and key.
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

// unavailable reports whether another attempt may end differently.
func unavailable(err error) bool {
	if answer, ok := errors.AsType[*Error](err); ok {
		return transient(answer.Status)
	}
	return err != nil && !permanent(err)
}

// pause waits. The error is why it did not wait to the end.
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
