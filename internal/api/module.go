package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// errUnset means that a module of an existing parent is not set. errEmpty
// means that it is not set, or that it has the defaults.
var (
	errUnset = errors.New("not set")
	errEmpty = fmt.Errorf("%w: the response is an empty object", errUnset)
)

// Module is a part of a parent object, without an id of its own, with PUT, GET
// and DELETE at a path below the parent's. T is both the object and the body of
// PUT.
//
// Every error begins with the operation and the module, or its parent if that
// does not exist, and wraps an *Error if the service responded; see IsGone.
type Module[T any] struct {
	client  *Client
	noun    string // with the ids of the parents
	parents parents
	parent  string // id of the parent
	member  string // of the parent, which contains the module
	path    string
	err     error // set if the path is invalid
}

// Part is a module as the response with its parent shows it.
type Part[T any] struct {
	// Object is the module, or nil if it is not set.
	Object *T
	// Shown reports whether the response says if the module is set. The contract does
	// not say that parents show their modules, and an empty object can mean both.
	Shown bool
}

// UnmarshalJSON implements [json.Unmarshaler]. It is called for null, too.
func (p *Part[T]) UnmarshalJSON(data []byte) error {
	if isEmptyObject(data) {
		return nil
	}
	p.Shown = true
	return json.Unmarshal(data, &p.Object)
}

// Modules describes the modules of a kind.
type Modules[T any] struct {
	*Kind

	// parents returns the collection of the parents.
	parents func(c *Client, ids []string) parents
}

// edgeModules describes modules of edges.
func edgeModules[T any](names Kind, edges *Objects[Edge]) *Modules[T] {
	return &Modules[T]{newKind(names), func(c *Client, _ []string) parents { return edges.Of(c) }}
}

// routeModules describes modules of routes.
func routeModules[T any](names Kind) *Modules[T] {
	return &Modules[T]{newKind(names), func(c *Client, ids []string) parents { return HTTPSEdgeRoutes.Of(c, ids[0]) }}
}

// Of returns the module in the parents with the given ids, as the path of the kind names
// them. The module is a member of the last one.
func (k *Modules[T]) Of(c *Client, ids ...string) Module[T] {
	path, err := fill(k.Path, ids...)
	short := make([]string, len(ids))
	for i, id := range ids {
		short[i] = ShortID(id)
	}
	return Module[T]{
		client:  c,
		noun:    k.Noun + " " + strings.Join(short, "/"),
		parents: k.parents(c, ids), parent: ids[len(ids)-1], member: k.member(),
		path: path,
		err:  err,
	}
}

// Get returns the module. A service may use several responses for a module that
// is not set: 404, 204, null, or an empty object. If prior is true, the module
// was set before, and an empty object is a module with the defaults. IsGone
// holds for the error if two witnesses say that the module is not set.
func (m Module[T]) Get(ctx context.Context, prior bool) (*T, error) {
	got := m.read(ctx)
	if prior && errors.Is(got.err, errEmpty) {
		value, shown, err := m.parents.member(ctx, m.parent, m.member)
		if err == nil && (!shown || !isUnset(value) || isEmptyObject(value)) || hasNoEndpoint(err) {
			return new(T), nil
		}
	}
	return m.decoded(m.client.confirmGone(ctx, got, "its parent "+m.parent, m.inParent, m.read))
}

// decoded returns the module in a response.
func (m Module[T]) decoded(got response) (*T, error) {
	var object T
	if got.err == nil {
		object, got.err = decode[T](got.body)
	}
	if got.err != nil {
		return nil, m.client.failed("read "+m.noun, got.err)
	}
	return &object, nil
}

// inParent is the witness of a module: its parent, which answers and does not show it, or
// the root list if the service has no such endpoint.
func (m Module[T]) inParent(ctx context.Context) (bool, error) {
	if m.err != nil {
		return false, m.err
	}
	value, _, err := m.parents.member(ctx, m.parent, m.member)
	if hasNoEndpoint(err) {
		if err = m.client.verify(ctx); err != nil {
			err = fmt.Errorf("the service does not show it, and GET %s: %w", RootKind.Path, err)
		}
	}
	return err == nil && !isUnset(value), err
}

// IsSet reports whether the module is set, before a creation, which would replace it. The
// module itself says it, unless its response can be a gateway's.
func (m Module[T]) IsSet(ctx context.Context) (bool, error) {
	got := m.read(ctx)
	refusal, refused := errors.AsType[*Error](got.err)
	if isNotFound(got.err) && (refused && refusal.structured || !refused && len(got.body) > 0) {
		return false, nil
	}
	_, err := m.decoded(m.client.confirmGone(ctx, got, "its parent "+m.parent, m.inParent, m.read))
	if IsGone(err) {
		return false, nil
	}
	return err == nil, err
}

// Look returns the module, or nil if one response says that it is not set. That is
// enough for a list.
func (m Module[T]) Look(ctx context.Context) (*T, error) {
	got := m.read(ctx)
	if isNotFound(got.err) {
		return nil, nil
	}
	return m.decoded(got)
}

// read sends one GET.
func (m Module[T]) read(ctx context.Context) response {
	body, err := m.send(ctx, http.MethodGet, nil)
	switch {
	case err != nil:
	case isEmptyObject(body):
		err = errEmpty
	case isUnset(body):
		err = errUnset
	}
	return response{body, err}
}

// Put sets the module or replaces it, and returns the result. The
// error wraps an *UnknownOutcomeError if the request may have been processed.
func (m Module[T]) Put(ctx context.Context, body T) (*T, error) {
	received, err := m.send(ctx, http.MethodPut, body)
	if err != nil {
		return nil, m.client.notCreated("set "+m.noun, err)
	}
	object, err := decode[T](received)
	if err == nil && !isUnset(received) {
		return &object, nil
	}
	found, err := m.Get(ctx, true)
	if err != nil {
		err = m.client.failed("set "+m.noun, &UnknownOutcomeError{Cause: err})
	}
	return found, err
}

// Find returns the module after a PUT with an unknown outcome. It takes at most
// one second after the end of ctx.
func (m Module[T]) Find(ctx context.Context) (*T, error) {
	bounded, cancel := detachedContext(ctx, searchTime, lateSearchTime)
	defer cancel()
	return m.Get(withoutRetries(bounded), true)
}

// Delete deletes the module, or finds out that it is not set.
func (m Module[T]) Delete(ctx context.Context) (Deletion, error) {
	_, err := m.send(ctx, http.MethodDelete, nil)
	result := deletionAfter(err)
	if isNotFound(err) {
		got := m.client.confirmGone(ctx, m.read(ctx), "its parent "+m.parent, m.inParent, m.read)
		if got.err == nil {
			got.err = fmt.Errorf("the service answered %s, but the module is still set", err.Error())
		}
		err = got.err
	}
	if err != nil && !IsGone(err) {
		return result, m.client.failed("delete "+m.noun, err)
	}
	return result, nil
}

func (m Module[T]) send(ctx context.Context, method string, body any) ([]byte, error) {
	if m.err != nil {
		return nil, m.err
	}
	r, err := m.client.newRequest(method, m.client.base+m.path, body)
	if err != nil {
		return nil, err
	}
	return m.client.do(ctx, r)
}

// isUnset reports whether a JSON value means that a module is not set.
func isUnset(body []byte) bool {
	body = bytes.TrimSpace(body)
	return len(body) == 0 || string(body) == "null" || isEmptyObject(body)
}

func isEmptyObject(body []byte) bool {
	inner, isObject := bytes.CutPrefix(bytes.TrimSpace(body), []byte("{"))
	return isObject && string(bytes.TrimSpace(inner)) == "}"
}
