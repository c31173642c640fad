package engine

import (
	"net/http"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// Module is a setting of an object that clients replace, read and delete as a
// whole. It has no id of its own.
type Module[P store.Item, M any] struct {
	Name  string        // last segment of the path
	Noun  string        // name of the module in messages
	Owner Collection[P] // collection of the owners
	Read  func(*body.Object) *M
	Place func(P) **M         // field of the owner that holds the module; nil if the module is not set
	View  func(*Call, *M) any // nil if the JSON form is the stored form
}

// Endpoint returns the path of the module.
func (m Module[P, M]) Endpoint() *Endpoint {
	return newEndpoint(m.Owner.Path+"/{"+m.Owner.parameter()+"}/"+m.Name, map[string]handler{
		http.MethodPut: m.put, http.MethodGet: m.get, http.MethodDelete: m.delete,
	})
}

func (m Module[P, M]) put(c *Call) (*Reply, error) {
	in, err := c.plainObject()
	if err != nil {
		return nil, err
	}
	var value *M
	err = c.write(func() error {
		owner, err := m.Owner.find(c)
		if err != nil {
			return err
		}
		value = m.Read(in)
		if err := in.End(); err != nil {
			return err
		}
		if err := c.checkExtra(in, m.show(c, value)); err != nil {
			return err
		}
		m.store(c, owner, value)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return reply(http.StatusOK, m.show(c, value))
}

func (m Module[P, M]) get(c *Call) (*Reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	owner, err := m.Owner.find(c)
	if err != nil {
		return nil, err
	}
	if value := *m.Place(owner); value != nil {
		return reply(http.StatusOK, m.show(c, value))
	}
	if c.Behaves("unset_module_null") {
		return reply(http.StatusOK, nil)
	}
	return nil, m.unset()
}

func (m Module[P, M]) delete(c *Call) (*Reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	err := c.write(func() error {
		owner, err := m.Owner.find(c)
		if err != nil {
			return err
		}
		if *m.Place(owner) == nil && c.Behaves("unset_module_delete_404") {
			return m.unset()
		}
		m.store(c, owner, nil)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return reply(http.StatusNoContent, nil)
}

func (m Module[P, M]) store(c *Call, owner P, value *M) {
	changed := clone(owner) // because stored objects are immutable
	*m.Place(changed) = value
	m.Owner.Table.Put(c.Tx, changed)
}

func (m Module[P, M]) unset() error {
	return &problem.Problem{Status: http.StatusNotFound, Message: "the " + m.Noun + " is not set"}
}

// Inline reads a module from a request to its owner. If the request does not
// contain the module, it returns the old one.
func Inline[M any](in *body.Object, name string, old *M, read func(*body.Object) *M) *M {
	fields := in.Nested(name)
	if fields == nil {
		return old
	}
	value := read(fields)
	fields.RefuseUnknown()
	return value
}

func (m Module[P, M]) show(c *Call, value *M) any {
	if m.View == nil {
		return value
	}
	return m.View(c, value)
}
