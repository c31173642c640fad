package testserver

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// collection is a kind of object that is created, read, listed, changed and deleted under one path. What is special about
// a kind is in its functions; they run one writer at a time, so that what they check still holds when the result is stored.
type collection[T item] struct {
	path   string // /ssh_credentials
	field  string // of the list answer that holds the objects; empty: there is no list
	noun   string // in messages
	table  *table[T]
	create func(*call, *object) (T, error)
	change func(*call, T, *object) (T, error)
	remove func(*call, T) error       // what is deleted along with an object; nil: nothing
	view   func(*call, string, T) any // the object as JSON; the string is its uri
}

func (k collection[T]) endpoints() []*endpoint {
	many := map[string]handler{http.MethodPost: k.post}
	if k.field != "" {
		many[http.MethodGet] = k.list
	}
	return []*endpoint{
		newEndpoint(k.path, many),
		newEndpoint(k.path+"/{id}", map[string]handler{
			http.MethodGet: k.get, http.MethodPatch: k.patch, http.MethodDelete: k.delete,
		}),
	}
}

func (k collection[T]) post(c *call) (*reply, error) {
	in, err := c.plainObject()
	if err != nil {
		return nil, err
	}
	var value T
	err = c.write(func() error {
		if value, err = k.create(c, in); err == nil {
			k.table.put(c.tx, value)
		}
		return err
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
	if len(in.values) == 0 {
		return nil, invalid("", "the body has no field to change")
	}
	var value T
	err = c.write(func() error {
		old, err := k.find(c)
		if err != nil {
			return err
		}
		if value, err = k.change(c, old, in); err == nil {
			k.table.put(c.tx, value)
		}
		return err
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
		if !c.force && c.server.store.referred(c.id()) {
			return inUse(k.noun, c.id())
		}
		k.table.remove(c.tx, old.key())
		if k.remove != nil {
			return k.remove(c, old)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return gone()
}

// find gives the object that the path names. It does not see one yet that a fault hides for a while after its creation.
func (k collection[T]) find(c *call) (T, error) {
	key := c.id()
	if parent, ok := c.values["edge_id"]; ok {
		key = parent + "/" + key
	}
	found, ok := k.table.row(key)
	if !ok || c.hides(found.born) {
		return found.value, unknown(k.noun, c.id())
	}
	return found.value, nil
}

// hides tells whether a fault keeps an object from being seen that was stored at born.
func (c *call) hides(born time.Time) bool {
	hidden := c.lagKind == FaultNotFoundAfterCreate && !born.IsZero() && c.time.Sub(born) < c.lag
	c.lagged = c.lagged || hidden
	return hidden
}

// asOf is the moment whose state a list shows; the zero time is now.
func (c *call) asOf() time.Time {
	if c.lagKind != FaultStaleList {
		return present
	}
	c.lagged = true
	return c.time.Add(-c.lag)
}

const maxPage = 100

func (k collection[T]) list(c *call) (*reply, error) {
	query, err := url.ParseQuery(c.request.URL.RawQuery)
	if err != nil {
		return nil, invalid("", "the query cannot be read")
	}
	limit, before, err := paging(query)
	if err != nil {
		return nil, err
	}
	size, oldestFirst := limit, false
	if c.quirk != nil {
		size, oldestFirst = min(limit, quirkPage), true
	}
	objects := k.table.page(before, size+1, oldestFirst, c.asOf())
	var next *string
	if len(objects) > size {
		objects = objects[:size]
		values := url.Values{"before_id": {objects[size-1].key()}, "limit": {strconv.Itoa(limit)}}
		uri := c.base() + k.path + "?" + values.Encode()
		next = &uri
	}
	shown := make([]any, 0, len(objects))
	for _, object := range objects {
		shown = append(shown, k.show(c, object))
	}
	return ok(map[string]any{k.field: shown, "uri": c.base() + k.path, "next_page_uri": next})
}

// paging reads the parameters of a list.
func paging(query url.Values) (limit int, before string, err error) {
	limit = maxPage
	for name, values := range query {
		switch {
		case name != "limit" && name != "before_id":
			return 0, "", invalid(name, "there is no query parameter %s", printable(name))
		case len(values) > 1:
			return 0, "", invalid(name, "the query parameter %s is there twice", name)
		}
	}
	if query.Has("limit") {
		limit, err = strconv.Atoi(query.Get("limit"))
		if err != nil || limit < 1 || limit > maxPage {
			return 0, "", invalid("limit", "limit must be a whole number from 1 to %d", maxPage)
		}
	}
	if before = query.Get("before_id"); query.Has("before_id") && !pathID.MatchString(before) {
		return 0, "", invalid("before_id", "before_id must be the id of an object")
	}
	return limit, before, nil
}

// plainObject is the body of a request that has no query parameters.
func (c *call) plainObject() (*object, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	return c.object()
}

func (c *call) noQuery() error {
	query, err := url.ParseQuery(c.request.URL.RawQuery)
	if err != nil {
		return invalid("", "the query cannot be read")
	}
	for name := range query {
		return invalid(name, "there is no query parameter %s", printable(name))
	}
	return nil
}

func (k collection[T]) show(c *call, value T) any {
	return k.view(c, k.uri(c, value), value)
}

// uri is the address of an object; a key with a parent in it fills the path's parameters from the left.
func (k collection[T]) uri(c *call, value T) string {
	parent, id, nested := strings.Cut(value.key(), "/")
	if !nested {
		return c.base() + k.path + "/" + parent
	}
	return c.base() + strings.Replace(k.path, "{edge_id}", parent, 1) + "/" + id
}
