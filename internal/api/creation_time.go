package api

// This file keeps a promise: a replica that lags behind never makes an object look
// gone that an earlier run has just created.

import (
	"context"
	"errors"
	"time"
)

type creationTimeKey struct{}

// WithCreationTime returns a context for requests for one object. createdAt is when the
// object was created, by the service's clock, also if the service does not show it;
// zero or nil if unknown. A creation sets it.
func WithCreationTime(ctx context.Context, createdAt *time.Time) context.Context {
	return context.WithValue(ctx, creationTimeKey{}, createdAt)
}

// creationTime returns when the object of a context was created, zero if unknown.
func creationTime(ctx context.Context) time.Time {
	if createdAt, _ := ctx.Value(creationTimeKey{}).(*time.Time); createdAt != nil {
		return *createdAt
	}
	return time.Time{}
}

// setCreationTime records that a response created or replaced the object of a context.
func setCreationTime(ctx context.Context, created answer) {
	if createdAt, _ := ctx.Value(creationTimeKey{}).(*time.Time); createdAt != nil {
		*createdAt = created.date
	}
}

// tooNew returns the error of a 404 for a new object.
func (c *Client) tooNew(cause error) *UnconfirmedError {
	doubt := c.unconfirmed(cause, "it was created less than %.0f seconds ago, and reads of the service may lag behind", recent.Seconds())
	doubt.settles = true
	return doubt
}

// dateOf returns when the service sent the response of an error, by its clock; zero
// if unknown.
func dateOf(err error) time.Time {
	if unset, ok := errors.AsType[notSetError](err); ok {
		return unset.date
	}
	if answer, ok := errors.AsType[*Error](err); ok {
		return answer.date
	}
	return time.Time{}
}

func isYoung(createdAt, now time.Time) bool {
	age := now.Sub(createdAt)
	return !createdAt.IsZero() && age >= 0 && age < recent
}

// notSetError is errNotSet or errEmpty, and when the service said it.
type notSetError struct {
	error
	date time.Time // by the service's clock
}

func (e notSetError) Unwrap() error { return e.error }
