package testserver

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// collection is a kind of object that clients create, read, list, update and
// delete under one path. If the path has parameters, each object belongs to a
// parent, and its key is the parent's key, a slash and its own id or name. The
// functions define what is specific to the kind. Functions that check and
// change objects run in one transaction at a time, so that their checks still
// hold when the result is stored.
type collection[T item] struct {
	path   string         // for example /ssh_credentials
	prefix string         // id prefix; empty if a field other than id names an object
	name   string         // path parameter that names an object; empty means id
	form   *regexp.Regexp // form of that parameter besides that of an id; nil if there is none
	field  string         // field of the list response that holds the objects; empty if there is no list
	whole  bool           // the list is not paged
	noun   string         // name of the kind in messages
	parent parent         // collection of the parents; nil if there is none
	table  *table[T]
	create func(*call, *object) (T, error)
	update func(*call, T, *object) T
	filled bool                       // an update must set at least one field
	remove func(*call, T)             // deletes the children of an object; nil if it has none
	users  func(T) []string           // ids of the edges that use an object without its id; nil if they cannot
	view   func(*call, string, T) any // JSON form of the object; the string is its uri
}

// parent is the collection that holds the parent objects.
type parent interface {
	check(key string, asOf time.Time) error // returns a 404 if the object does not exist
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
	one := newEndpoint(k.path+"/{"+k.parameter()+"}", map[string]handler{
		http.MethodGet: k.get, http.MethodPatch: k.patch, http.MethodDelete: k.delete,
	})
	one.form = k.form
	return []*endpoint{newEndpoint(k.path, many), one}
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
	c.created = value.key()
	if c.view.instead != nil {
		value = k.another(c, value)
	}
	return createdReply(k.show(c, value))
}

func (k collection[T]) get(c *call) (*reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	found, err := k.find(c)
	if err != nil {
		return nil, err
	}
	return okReply(k.show(c, found))
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
	return okReply(k.show(c, value))
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
		if !c.force && c.api.store.referred(lastOf(old.key())) {
			return inUse(k.noun, lastOf(old.key()))
		}
		if k.users != nil && !c.force {
			if users := k.users(old); len(users) > 0 {
				return inUse(k.noun, lastOf(old.key()), users...)
			}
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
	return noContentReply()
}

// find returns the object that the path names. It does not find a new object
// while a fault hides it.
func (k collection[T]) find(c *call) (T, error) {
	if err := k.checkParent(c); err != nil {
		var none T
		return none, err
	}
	found, born, ok := k.table.find(c.key, c.asOf())
	if !ok || c.hides(born) {
		return found, unknown(k.noun, lastOf(c.key))
	}
	return found, nil
}

// checkParent returns an error if the path names a parent that does not exist.
func (k collection[T]) checkParent(c *call) error {
	if k.parent == nil {
		return nil
	}
	parts := strings.Split(c.key, "/")
	return k.parent.check(strings.Join(parts[:strings.Count(k.path, "{")], "/"), c.asOf())
}

func (k collection[T]) check(key string, asOf time.Time) error {
	if _, _, ok := k.table.find(key, asOf); !ok {
		return unknown(k.noun, lastOf(key))
	}
	return nil
}

// another returns the oldest object next to a new one that the view of a call
// shows instead, or the new one if there is none.
func (k collection[T]) another(c *call, value T) T {
	others := k.table.all()
	if k.parent != nil {
		others = k.table.under(c.key, present)
	}
	for _, other := range others {
		if other.key() != value.key() && c.view.instead(other.key()) {
			c.view.used = true
			return other
		}
	}
	return value
}

func (k collection[T]) show(c *call, value T) any {
	return k.view(c, c.base()+fill(k.path, value.key())+"/"+url.PathEscape(lastOf(value.key())), value)
}

// showAll returns the JSON form of all objects of a parent, in the order in
// which they were added.
func (k collection[T]) showAll(c *call, parentKey string) []any {
	views := []any{}
	for _, value := range k.table.under(parentKey, c.asOf()) {
		views = append(views, k.show(c, value))
	}
	return views
}

// removeAll deletes all objects of a parent.
func (k collection[T]) removeAll(c *call, parentKey string) {
	for _, value := range k.table.under(parentKey, present) {
		k.table.remove(c.tx, value.key())
	}
}

// fill replaces the parameters of a path, from left to right, with the parts of
// a key.
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

// lastOf returns the last part of a key: the id or name of the object without
// its parent.
func lastOf(key string) string {
	return key[strings.LastIndexByte(key, '/')+1:]
}
