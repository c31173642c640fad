package testserver

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// maxPage is the maximum and the default number of objects on a page.
const maxPage = 100

// list returns a page, or all objects if the list is not paged.
func (k collection[T]) list(c *call) (*reply, error) {
	if err := k.checkParent(c); err != nil {
		return nil, err
	}
	uri := c.base() + fill(k.path, c.key)
	if k.whole {
		if err := c.noQuery(); err != nil {
			return nil, err
		}
		return okReply(map[string]any{k.field: k.showAll(c, c.key), "uri": uri})
	}
	limit, before, err := k.paging(c)
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
		address := uri + "?" + values.Encode()
		next = &address
	}
	views := make([]any, 0, len(objects))
	for _, object := range objects {
		views = append(views, k.show(c, object))
	}
	return okReply(map[string]any{k.field: views, "uri": uri, "next_page_uri": next})
}

// paging reads the query parameters of a list.
func (k collection[T]) paging(c *call) (limit int, before string, err error) {
	query, err := c.query("limit", "before_id")
	if err != nil {
		return 0, "", err
	}
	limit = maxPage
	if query.Has("limit") {
		limit, err = strconv.Atoi(query.Get("limit"))
		if err != nil || limit < 1 || limit > maxPage {
			return 0, "", invalid("limit", "limit must be an integer between 1 and %d", maxPage)
		}
	}
	before = query.Get("before_id")
	valid := pathID.MatchString(before) && strings.HasPrefix(before, k.prefix)
	if query.Has("before_id") && !valid {
		return 0, "", invalid("before_id", "invalid before_id: expected the id of an object in this list, which starts with %s", k.prefix)
	}
	return limit, before, nil
}

// query parses the query string. It returns an error for unknown and repeated
// parameters.
func (c *call) query(known ...string) (url.Values, error) {
	query, err := url.ParseQuery(c.request.URL.RawQuery)
	if err != nil {
		return nil, invalid("", "could not parse the query string")
	}
	for name := range query {
		if !slices.Contains(known, name) {
			return nil, invalid(fieldName(name), "unknown query parameter %s", printable(name))
		}
		if len(query[name]) > 1 {
			return nil, invalid(name, "duplicate query parameter %s", name)
		}
	}
	return query, nil
}

func (c *call) noQuery() error {
	_, err := c.query()
	return err
}

// plainObject returns the body of a request and returns an error if the request
// has query parameters.
func (c *call) plainObject() (*object, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	values, err := c.object()
	if err != nil {
		return nil, err
	}
	c.sent = values
	return newObject(values, c.request.Method == http.MethodPost || c.keepsEmpty(), c.force), nil
}
