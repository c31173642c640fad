package testserver

import "net/http"

// module is a setting of a parent that is replaced, read and deleted as a whole. It has no id of its own.
type module[P item, M any] struct {
	path   string // /edges/tls/{id}/policy
	noun   string
	parent func(*call) (P, error)
	table  *table[P] // of the parents
	read   func(*object) (*M, error)
	of     func(P) *M    // the module of a parent; nil: not set
	with   func(P, *M) P // a copy of the parent with another module
}

func (m module[P, M]) endpoint() *endpoint {
	return newEndpoint(m.path, map[string]handler{
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
		parent, err := m.parent(c)
		if err != nil {
			return err
		}
		if value, err = m.read(in); err == nil {
			m.table.put(c.tx, m.with(parent, value))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return ok(value)
}

func (m module[P, M]) get(c *call) (*reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	parent, err := m.parent(c)
	if err != nil {
		return nil, err
	}
	if value := m.of(parent); value != nil {
		return ok(value)
	}
	if c.quirk != nil {
		return ok(c.quirk.unset())
	}
	return nil, &problem{status: http.StatusNotFound, message: "the " + m.noun + " is not set"}
}

func (m module[P, M]) delete(c *call) (*reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	err := c.write(func() error {
		parent, err := m.parent(c)
		if err != nil {
			return err
		}
		if m.of(parent) != nil {
			m.table.put(c.tx, m.with(parent, nil))
			return nil
		}
		if c.quirk != nil {
			return &problem{status: http.StatusNotFound, message: "the " + m.noun + " is not set"}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return gone()
}
