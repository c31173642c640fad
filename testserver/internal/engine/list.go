package engine

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// maxPage is the maximum and the default number of objects on a page.
const maxPage = 100

// smallPage is the maximum number of objects on a page with list_small_pages.
const smallPage = 3

// list returns a page, or all objects if the list is not paged.
func (k Collection[T]) list(c *Call) (*Reply, error) {
	if err := k.checkParent(c); err != nil {
		return nil, err
	}
	uri := c.Base() + fill(k.Path, c.Key)
	if k.Unpaged {
		if err := c.noQuery(); err != nil {
			return nil, err
		}
		return reply(http.StatusOK, map[string]any{k.Field: k.ShowAll(c, c.Key), "uri": uri})
	}
	limit, before, err := k.paging(c)
	if err != nil {
		return nil, err
	}
	size, oldestFirst := limit, c.Behaves("list_oldest_first")
	if c.Behaves("list_small_pages") {
		size = min(limit, smallPage)
	}
	objects := k.Table.Page(before, size+1, oldestFirst, c.AsOf)
	var next *string
	if len(objects) > size {
		objects = objects[:size]
		values := url.Values{"before_id": {objects[size-1].Key()}, "limit": {strconv.Itoa(limit)}}
		address := uri + "?" + values.Encode()
		next = &address
	}
	views := make([]any, 0, len(objects))
	for _, object := range objects {
		views = append(views, k.show(c, object))
	}
	return reply(http.StatusOK, map[string]any{k.Field: views, "uri": uri, "next_page_uri": next})
}

// paging reads the query parameters of a list.
func (k Collection[T]) paging(c *Call) (limit int, before string, err error) {
	query, err := c.Query("limit", "before_id")
	if err != nil {
		return 0, "", err
	}
	limit = maxPage
	if query.Has("limit") {
		limit, err = strconv.Atoi(query.Get("limit"))
		if err != nil || limit < 1 || limit > maxPage {
			return 0, "", problem.Invalid("limit", "limit must be an integer between 1 and %d", maxPage)
		}
	}
	before = query.Get("before_id")
	valid := pathID.MatchString(before) && strings.HasPrefix(before, k.Prefix)
	if query.Has("before_id") && !valid {
		return 0, "", problem.Invalid("before_id", "invalid before_id: expected the id of an object in this list, which starts with %s", k.Prefix)
	}
	return limit, before, nil
}

// Query parses the query string. It returns an error for unknown and repeated
// parameters.
func (c *Call) Query(known ...string) (url.Values, error) {
	query, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return nil, problem.Invalid("", "could not parse the query string")
	}
	for name := range query {
		if !slices.Contains(known, name) {
			return nil, problem.Invalid(problem.FieldName(name), "unknown query parameter %s", problem.Printable(name))
		}
		if len(query[name]) > 1 {
			return nil, problem.Invalid(name, "duplicate query parameter %s", name)
		}
	}
	return query, nil
}

func (c *Call) noQuery() error {
	_, err := c.Query()
	return err
}

// plainObject returns the body of a request and returns an error if the request
// has query parameters.
func (c *Call) plainObject() (*body.Object, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	values, err := c.object()
	if err != nil {
		return nil, err
	}
	in := body.New(values, c.Request.Method == http.MethodPost || c.KeepsEmpty(), c.Force)
	if c.Answer {
		in.FromAnswer()
	}
	return in, nil
}

// checkExtra refuses members of an object that the API is said to have returned,
// if it never returns them. shown is the JSON form of the object.
func (c *Call) checkExtra(in *body.Object, shown any) error {
	if !c.Answer || len(in.Extra()) == 0 {
		return nil
	}
	members, _ := body.Tree(shown).(map[string]any)
	for _, name := range slices.Sorted(slices.Values(in.Extra())) {
		if _, ok := members[name]; !ok {
			return problem.Invalid(name, "unknown field %s", problem.Printable(name))
		}
	}
	return nil
}
