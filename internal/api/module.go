package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// Module is a part of a parent object, without an id of its own, with PUT, GET
// and DELETE at a path below the parent's. T is both the object and the body of
// PUT.
//
// Every error begins with the operation and the module, and wraps an *Error if
// the service responded; see IsGone.
type Module[T any] struct {
	client *Client
	noun   string
	parent string // id of the parent
	path   string
	err    error // set if the path is invalid
}

// module returns the module at a documented path, in the parents that the path
// names. The module is a part of the last parent.
func module[T any](c *Client, noun, path string, parents ...string) Module[T] {
	filled, err := fill(path, parents...)
	return Module[T]{client: c, noun: noun, parent: parents[len(parents)-1], path: filled, err: err}
}

// Get returns the module. A service may use several responses for a module that
// is not set: 404, null, or an empty object.
func (m Module[T]) Get(ctx context.Context) (*T, error) {
	answer, err := m.send(ctx, http.MethodGet, nil)
	if err == nil && isUnset(answer.body) {
		err = m.client.believe(ctx, rootList, ErrNotSet)
	}
	var object T
	if err == nil {
		object, err = decode[T](answer.body)
	}
	if err != nil {
		return nil, m.client.failed("read "+m.noun, err)
	}
	return &object, nil
}

// Put sets the module, replaces its previous value, and returns the result. The
// error wraps an *UnknownOutcomeError if the request may have been processed.
func (m Module[T]) Put(ctx context.Context, body T) (*T, error) {
	answer, err := m.send(ctx, http.MethodPut, body)
	var object T
	if err == nil {
		if object, err = decode[T](answer.body); err != nil {
			err = unanswered{err}
		}
	}
	if err == nil {
		return &object, nil
	}
	if possiblyProcessed(err) {
		err = m.unknown(ctx, err)
	}
	return nil, m.client.failed("set "+m.noun, err)
}

// unknown returns the *UnknownOutcomeError of a PUT. It reads the module to
// find out whether it is set.
func (m Module[T]) unknown(ctx context.Context, cause error) error {
	outcome := &UnknownOutcomeError{Cause: cause, Unique: true}
	bounded, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), lateLookTime, fmt.Errorf("no response within %s", lateLookTime))
	defer cancel()
	switch _, err := m.Get(withRetries(bounded, retryNever)); {
	case err == nil:
		outcome.IDs = []string{m.parent}
	case !IsGone(err):
		outcome.Look = err
	}
	return outcome
}

// Delete deletes the module. It returns no error if the module was not set.
func (m Module[T]) Delete(ctx context.Context) error {
	_, err := m.send(ctx, http.MethodDelete, nil)
	if err == nil || IsGone(err) {
		return nil
	}
	return m.client.failed("delete "+m.noun, err)
}

func (m Module[T]) send(ctx context.Context, method string, body any) (answer, error) {
	if m.err != nil {
		return answer{}, m.err
	}
	got, err := m.client.send(ctx, method, m.client.base+m.path, body)
	return got, m.client.believe(ctx, rootList, err)
}

// isUnset reports whether the body of a response means that a module is not
// set.
func isUnset(body []byte) bool {
	var fields map[string]json.RawMessage
	return len(bytes.TrimSpace(body)) > 0 && json.Unmarshal(body, &fields) == nil && len(fields) == 0
}
