package engine

import (
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// Collection is a kind of object that clients create, read, list, update and
// delete under one path. If the path has parameters, each object belongs to a
// parent, and its key is the parent's key, a slash and its own id or name. The
// functions define what is specific to the kind. Functions that check and
// change objects run in one transaction at a time, so that their checks still
// hold when the result is stored.
type Collection[T store.Item] struct {
	Path          string         // for example /ssh_credentials
	Prefix        string         // id prefix; empty if a field other than id names an object
	Name          string         // path parameter that names an object; empty means id
	NameForm      *regexp.Regexp // form of that parameter besides that of an id; nil if there is none
	Field         string         // field of the list response that holds the objects; empty if there is no list
	Unpaged       bool           // the list is not paged
	Noun          string         // name of the kind in messages
	Parent        parent         // collection of the parents; nil if there is none
	Table         *store.Table[T]
	Refers        []string // paths of the kinds that objects refer to, by an id or by a value
	Create        func(*Call, *body.Object) (T, error)
	Update        func(*Call, T, *body.Object) T
	NoEmptyUpdate bool                       // an update must set at least one field
	Remove        func(*Call, T)             // deletes the children of an object; nil if it has none
	Uses          func(T) []string           // ids of the objects that an object uses by something other than their id; nil if none
	Users         func(T) []string           // the opposite: ids of the objects that use an object in this way; nil if none can
	View          func(*Call, string, T) any // JSON form of the object; the string is its uri; nil if it is the stored form, which has SetURI
}

// parent is the collection that holds the parent objects.
type parent interface {
	check(key string, asOf time.Time) error // returns a 404 if the object does not exist
	path() string
}

func (k Collection[T]) path() string { return k.Path }

func (k Collection[T]) parameter() string {
	if k.Name == "" {
		return "id"
	}
	return k.Name
}

// Endpoints returns the paths of the list and of one object.
func (k Collection[T]) Endpoints() []*Endpoint {
	many := map[string]handler{http.MethodPost: k.post}
	if k.Field != "" {
		many[http.MethodGet] = k.list
	}
	one := newEndpoint(k.Path+"/{"+k.parameter()+"}", map[string]handler{
		http.MethodGet: k.get, http.MethodPatch: k.patch, http.MethodDelete: k.delete,
	})
	one.form = k.NameForm
	return []*Endpoint{newEndpoint(k.Path, many), one}
}

func (k Collection[T]) post(c *Call) (*Reply, error) {
	in, err := c.plainObject()
	if err != nil {
		return nil, err
	}
	c.Prefix = k.Prefix
	var value T
	err = c.write(func() error {
		if err := k.checkParent(c); err != nil {
			return err
		}
		if value, err = k.Create(c, in); err == nil {
			err = in.End()
		}
		if err == nil {
			err = c.checkExtra(in, k.show(c, value))
		}
		if err != nil {
			return err
		}
		if _, exists := k.Table.Get(value.Key()); exists {
			return &problem.Problem{Status: http.StatusConflict, Field: k.parameter(),
				Message: "the " + k.Noun + " " + lastOf(value.Key()) + " already exists"}
		}
		k.Table.Put(c.Tx, value)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return reply(http.StatusCreated, k.show(c, value))
}

func (k Collection[T]) get(c *Call) (*Reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	found, err := k.find(c)
	if err != nil {
		return nil, err
	}
	return reply(http.StatusOK, k.show(c, found))
}

func (k Collection[T]) patch(c *Call) (*Reply, error) {
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
		value = k.Update(c, old, in)
		if err := in.End(); err != nil {
			return err
		}
		if k.NoEmptyUpdate && in.Empty() {
			return problem.Invalid("", "no values were provided")
		}
		k.Table.Put(c.Tx, value)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return reply(http.StatusOK, k.show(c, value))
}

func (k Collection[T]) delete(c *Call) (*Reply, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	err := c.write(func() error {
		old, err := k.find(c)
		if err != nil {
			return err
		}
		if !c.Force && c.api.Store.Referred(lastOf(old.Key())) {
			return problem.InUse(k.Noun, lastOf(old.Key()))
		}
		if k.Users != nil && !c.Force {
			if users := k.Users(old); len(users) > 0 {
				return problem.InUse(k.Noun, lastOf(old.Key()), users...)
			}
		}
		k.Table.Remove(c.Tx, old.Key())
		if k.Remove != nil {
			k.Remove(c, old)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return reply(http.StatusNoContent, nil)
}

// find returns the object that the path names.
func (k Collection[T]) find(c *Call) (T, error) {
	if err := k.checkParent(c); err != nil {
		var none T
		return none, err
	}
	found, ok := k.Table.Find(c.Key, c.AsOf)
	if !ok {
		return found, problem.NotFound(k.Noun, lastOf(c.Key))
	}
	return found, nil
}

// checkParent returns an error if the path names a parent that does not exist.
func (k Collection[T]) checkParent(c *Call) error {
	if k.Parent == nil {
		return nil
	}
	parts := strings.Split(c.Key, "/")
	return k.Parent.check(strings.Join(parts[:strings.Count(k.Path, "{")], "/"), c.AsOf)
}

func (k Collection[T]) check(key string, asOf time.Time) error {
	if _, ok := k.Table.Find(key, asOf); !ok {
		return problem.NotFound(k.Noun, lastOf(key))
	}
	return nil
}

func (k Collection[T]) show(c *Call, value T) any {
	uri := c.Base() + fill(k.Path, value.Key()) + "/" + url.PathEscape(lastOf(value.Key()))
	if k.View == nil {
		return withURI(value, uri)
	}
	return k.View(c, uri, value)
}

// ShowStored returns the JSON form of an object of a change of the store.
func (k Collection[T]) ShowStored(c *Call, value any) any { return k.show(c, value.(T)) }

// withURI returns a copy of a stored object that shows its uri.
func withURI(value any, uri string) any {
	shown := clone(value)
	shown.(interface{ SetURI(uri string) }).SetURI(uri)
	return shown
}

// clone returns a copy of what a pointer points to.
func clone[P any](pointer P) P {
	copied := reflect.New(reflect.TypeOf(pointer).Elem())
	copied.Elem().Set(reflect.ValueOf(pointer).Elem())
	return copied.Interface().(P)
}

// ShowAll returns the JSON form of all objects of a parent, in the order in
// which they were added.
func (k Collection[T]) ShowAll(c *Call, parentKey string) []any {
	views := []any{}
	for _, value := range k.Table.Under(parentKey, c.AsOf) {
		views = append(views, k.show(c, value))
	}
	return views
}

// Each calls use with the JSON form of each object, oldest first.
func (k Collection[T]) Each(c *Call, use func(shown any)) {
	for _, value := range k.Table.All() {
		use(k.show(c, value))
	}
}

// RemoveAll deletes all objects of a parent.
func (k Collection[T]) RemoveAll(c *Call, parentKey string) {
	for _, value := range k.Table.Under(parentKey, store.Present) {
		k.Table.Remove(c.Tx, value.Key())
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
