package testserver

import "net/http"

// module is a setting of an object that clients replace, read and delete as a
// whole. It has no id of its own.
type module[P item, M any] struct {
	name  string        // last segment of the path
	noun  string        // name of the module in messages
	owner collection[P] // collection of the owners
	read  func(*object) *M
	place func(P) **M // field of the owner that holds the module; nil if the module is not set
	clone func(P) P   // copies the owner, because stored objects are immutable
	view  func(*call, *M) any
}

func (m module[P, M]) endpoint() *endpoint {
	return newEndpoint(m.owner.path+"/{"+m.owner.parameter()+"}/"+m.name, map[string]handler{
		http.MethodPut: m.put, http.MethodGet: m.get, http.MethodDelete: m.delete,
	})
}

func (m module[P, M]) put(c *call) (*reply, error) {
	in, err := c.plainObject()
	if err != nil {
		return nil, err
	}
	var value *M
	err = c.write(func() error {
		owner, err := m.owner.find(c)
		if err != nil {
			return err
		}
		value = m.read(in)
		if err := in.end(); err != nil {
			return err
		}
		m.store(c, owner, value)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return okReply(m.view(c, value))
}

func (m module[P, M]) get(c *call) (*reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	owner, err := m.owner.find(c)
	if err != nil {
		return nil, err
	}
	if value := *m.place(owner); value != nil {
		return okReply(m.view(c, value))
	}
	if c.quirk != nil {
		return okReply(c.quirk.unset())
	}
	return nil, m.unset()
}

func (m module[P, M]) delete(c *call) (*reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	err := c.write(func() error {
		owner, err := m.owner.find(c)
		if err != nil {
			return err
		}
		if *m.place(owner) == nil && c.quirk != nil {
			return m.unset()
		}
		m.store(c, owner, nil)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return noContentReply()
}

func (m module[P, M]) store(c *call, owner P, value *M) {
	changed := m.clone(owner)
	*m.place(changed) = value
	m.owner.table.put(c.tx, changed)
}

func (m module[P, M]) unset() error {
	return &problem{status: http.StatusNotFound, message: "the " + m.noun + " is not set"}
}

// inline reads a module from a request to its owner. If the request does not
// contain the module, it returns the old one.
func inline[M any](in *object, name string, old *M, read func(*object) *M) *M {
	fields := in.object(name)
	if fields == nil {
		return old
	}
	value := read(fields)
	fields.refuseUnknown()
	return value
}

// stored is the view of a module whose JSON form is its stored form.
func stored[M any](_ *call, value *M) any {
	return value
}
