package testserver

import (
	"net/http"
	"strings"
	"time"
)

// collection is a kind of object that is created, read, listed, updated and deleted under one path. The path may have
// parameters: then each object belongs to a parent, and its key is the parent's key, a slash and its own. What is special
// about a kind is in its functions; they run one writer at a time, so that what they check still holds when the result is
// stored.
type collection[T item] struct {
	path   string // /ssh_credentials
	prefix string // of the ids; empty: an object is named by a field of its own
	name   string // the path parameter that names an object; empty: id
	field  string // of the list answer that holds the objects; empty: there is no list
	whole  bool   // the list has no pages
	noun   string // in messages
	parent parent // what the objects belong to; nil: to the account
	table  *table[T]
	create func(*call, *object) (T, error)
	update func(*call, T, *object) T
	filled bool                       // an update without values is an error
	remove func(*call, T)             // deletes what belongs to an object; nil: nothing
	view   func(*call, string, T) any // the object as JSON; the string is its uri
}

// parent is the collection of the objects that others belong to.
type parent interface {
	check(key string) error // a 404 if there is no object with this key
}

func (k collection[T]) parameter() string {
	if k.name == "" {
		return "id"
	}
	return k.name
}

func (k collection[T]) endpoints() []*endpoint {
	many := map[string]handler{http.MethodPost: k.post}
	if k.field != "" {
		many[http.MethodGet] = k.list
	}
	return []*endpoint{
		newEndpoint(k.path, many),
		newEndpoint(k.path+"/{"+k.parameter()+"}", map[string]handler{
			http.MethodGet: k.get, http.MethodPatch: k.patch, http.MethodDelete: k.delete,
		}),
	}
}

func (k collection[T]) post(c *call) (*reply, error) {
	in, err := c.plainObject()
	if err != nil {
		return nil, err
	}
	c.prefix = k.prefix
	var value T
	err = c.write(func() error {
		if err := k.checkParent(c); err != nil {
			return err
		}
		if value, err = k.create(c, in); err == nil {
			err = in.end()
		}
		if err != nil {
			return err
		}
		if _, exists := k.table.get(value.key()); exists {
			return &problem{status: http.StatusConflict, field: k.parameter(),
				message: "the " + k.noun + " " + lastOf(value.key()) + " already exists"}
		}
		k.table.put(c.tx, value)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return made(k.show(c, value))
}

func (k collection[T]) get(c *call) (*reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	found, err := k.find(c)
	if err != nil {
		return nil, err
	}
	return ok(k.show(c, found))
}

func (k collection[T]) patch(c *call) (*reply, error) {
	in, err := c.plainObject()
	if err != nil {
		return nil, err
	}
	var value T
	err = c.write(func() error {
		old, err := k.find(c)
		if err != nil {
			return err
		}
		value = k.update(c, old, in)
		if err := in.end(); err != nil {
			return err
		}
		if k.filled && in.empty() {
			return invalid("", "no values were provided")
		}
		k.table.put(c.tx, value)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return ok(k.show(c, value))
}

func (k collection[T]) delete(c *call) (*reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	err := c.write(func() error {
		old, err := k.find(c)
		if err != nil {
			return err
		}
		if !c.force && c.server.store.referred(lastOf(old.key())) {
			return inUse(k.noun, lastOf(old.key()))
		}
		k.table.remove(c.tx, old.key())
		if k.remove != nil {
			k.remove(c, old)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return gone()
}

// find returns the object that the path names. It does not see one yet that a fault hides for a while after its creation.
func (k collection[T]) find(c *call) (T, error) {
	if err := k.checkParent(c); err != nil {
		var none T
		return none, err
	}
	found, ok := k.table.row(c.key)
	if !ok || c.hides(found.born) {
		return found.value, unknown(k.noun, lastOf(c.key))
	}
	return found.value, nil
}

// checkParent refuses a call whose path names a parent that does not exist.
func (k collection[T]) checkParent(c *call) error {
	if k.parent == nil {
		return nil
	}
	parts := strings.Split(c.key, "/")
	return k.parent.check(strings.Join(parts[:strings.Count(k.path, "{")], "/"))
}

func (k collection[T]) check(key string) error {
	if _, ok := k.table.get(key); !ok {
		return unknown(k.noun, lastOf(key))
	}
	return nil
}

// hides reports whether a fault keeps an object from being seen that was stored at born.
func (c *call) hides(born time.Time) bool {
	hidden := c.lagKind == FaultNotFoundAfterCreate && !born.IsZero() && c.time.Sub(born) < c.lag
	c.lagged = c.lagged || hidden
	return hidden
}

func (k collection[T]) show(c *call, value T) any {
	return k.view(c, c.base()+fill(k.path, value.key())+"/"+lastOf(value.key()), value)
}

// showAll shows all objects of a parent in the order in which they were added.
func (k collection[T]) showAll(c *call, parentKey string, asOf time.Time) []any {
	shown := []any{}
	for _, value := range k.table.under(parentKey, asOf) {
		shown = append(shown, k.show(c, value))
	}
	return shown
}

// removeAll deletes all objects of a parent.
func (k collection[T]) removeAll(c *call, parentKey string) {
	for _, value := range k.table.under(parentKey, present) {
		k.table.remove(c.tx, value.key())
	}
}

// fill puts the parts of a key into the parameters of a path, from the left.
func fill(path, key string) string {
	for part := range strings.SplitSeq(key, "/") {
		begin, end := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
		if begin < 0 {
			break
		}
		path = path[:begin] + part + path[end+1:]
	}
	return path
}

// lastOf is what a key holds after the parent's key: the object's own id or name.
func lastOf(key string) string {
	return key[strings.LastIndexByte(key, '/')+1:]
}
