package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// A Module is a part of a parent object, with no id of its own: PUT, GET and
// DELETE on the parent's address. T is both the object and the body of PUT.
//
// Every error begins with what was being done and to which module, and wraps an
// *Error where the service answered; IsGone tells a module that is not set, or
// whose parent is gone.
type Module[T any] struct {
	client *Client
	noun   string
	path   string
	err    error // why the path could not be built
}

// Get returns the module. A service may say in several ways that it is not set:
// 404, null, or an empty object.
func (m Module[T]) Get(ctx context.Context) (*T, error) {
	answer, err := m.send(ctx, http.MethodGet, nil)
	if err == nil && unset(answer) {
		err = ErrNotSet
	}
	var object T
	if err == nil {
		object, err = decode[T](answer)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", m.noun, err)
	}
	return &object, nil
}

// Put sets the module, replacing what was there, and returns it as the service
// answers it. The error wraps a *Doubt where it may have been done.
func (m Module[T]) Put(ctx context.Context, body T) (*T, error) {
	answer, err := m.send(ctx, http.MethodPut, body)
	var object T
	if err == nil {
		if object, err = decode[T](answer); err != nil {
			err = unanswered{err}
		}
	}
	if inDoubt(err) {
		err = &Doubt{Cause: err}
	}
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", m.noun, err)
	}
	return &object, nil
}

// Delete unsets the module.
func (m Module[T]) Delete(ctx context.Context) error {
	err := m.err
	if err == nil {
		err = m.client.delete(ctx, m.path)
	}
	if err != nil {
		return fmt.Errorf("delete %s: %w", m.noun, err)
	}
	return nil
}

// module is the one at a path whose elements are not escaped yet.
func module[T any](c *Client, noun string, elements ...string) Module[T] {
	path, err := join(elements...)
	return Module[T]{client: c, noun: noun, path: path, err: err}
}

func (m Module[T]) send(ctx context.Context, method string, body any) ([]byte, error) {
	if m.err != nil {
		return nil, m.err
	}
	return m.client.send(ctx, method, m.path, body)
}

func unset(answer []byte) bool {
	var fields map[string]json.RawMessage
	return len(bytes.TrimSpace(answer)) > 0 && json.Unmarshal(answer, &fields) == nil && len(fields) == 0
}
