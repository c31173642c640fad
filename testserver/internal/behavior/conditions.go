package behavior

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Conditions say which requests a rule or an expectation is about, as in [Rule].
type Conditions struct {
	Method string            `json:"method,omitempty"`
	Route  string            `json:"route,omitempty"`
	Path   string            `json:"path,omitempty"`
	Query  map[string]string `json:"query,omitempty"`
	Header map[string]string `json:"header,omitempty"`
	Body   map[string]any    `json:"body,omitempty"`
}

// Check returns an error for conditions that no request to an API meets.
func (c *Conditions) Check(api engine.Routes) error {
	endpoint, _, err := api.Find(c.Path)
	known := slices.DeleteFunc(slices.Clone(api), func(e *engine.Endpoint) bool {
		return !engine.MatchesRoute(c.Route, e.Pattern) || c.Path != "" && e != endpoint
	})
	methods := map[string]bool{}
	for _, endpoint := range known {
		for method := range endpoint.Methods {
			methods[method] = true
		}
	}
	switch {
	case c.Path != "" && (err != nil || strings.Contains(c.Path, "{")):
		return fmt.Errorf("invalid path %q: expected a path such as /ssh_credentials/sshcr_2abc; for a pattern, use route", c.Path)
	case c.Route != "" && len(known) == 0:
		return fmt.Errorf("unknown route %s%s", problem.Printable(c.Route), problem.Nearest(c.Route, api.Patterns()))
	case c.Method != "" && !methods[c.Method]:
		return fmt.Errorf("unknown method %q of %s: expected %s", c.Method, cmp.Or(c.Path, c.Route, "any route"),
			strings.Join(slices.Sorted(maps.Keys(methods)), ", "))
	}
	for name := range c.Header {
		if slices.Contains(engine.SecretHeaders, http.CanonicalHeaderKey(name)) {
			return fmt.Errorf("header %s is secret: expected another one, such as X-Test", name)
		}
	}
	return nil
}

// String names the conditions.
func (c *Conditions) String() string {
	text, more := cmp.Or(c.Method, "any method")+" "+cmp.Or(c.Route, "any route"), *c
	if more.Method, more.Route = "", ""; !reflect.DeepEqual(more, Conditions{}) {
		text += " with " + shown(more)
	}
	return text
}

// Sent is a request of a client.
type Sent struct {
	Method, Route, Path string
	Query               url.Values
	Header              http.Header
	Body                []byte
}

// Difference is the first condition that a request does not meet.
type Difference struct {
	Met int    // 0 if neither the method nor the route is met; higher if more is
	How string // ends the name of the request, such as ", whose path is"; empty if the method or route differs
}

// Differs returns the difference of a request. It is nil if the conditions are met.
func (c *Conditions) Differs(r *Sent) *Difference {
	method, route := c.Method == "" || c.Method == r.Method, engine.MatchesRoute(c.Route, r.Route)
	switch {
	case !method && route && c.Route != "", !route && method && c.Method != "":
		return &Difference{Met: 1}
	case !method || !route:
		return &Difference{}
	case c.Path != "" && c.Path != r.Path:
		return whose(2, "path", r.Path, c.Path)
	}
	if name := unmet(c.Query, r.Query.Get); name != "" {
		return whose(3, "query."+name, r.Query.Get(name), c.Query[name])
	}
	if name := unmet(c.Header, r.Header.Get); name != "" {
		return whose(4, "header."+name, r.Header.Get(name), c.Header[name])
	}
	if len(c.Body) == 0 {
		return nil
	}
	var members map[string]any
	_ = json.Unmarshal(r.Body, &members) // a body that is no object has no members
	return differing("body", members, c.Body)
}

// unmet returns the first name that has not the expected value.
func unmet(expected map[string]string, get func(name string) string) string {
	for _, name := range slices.Sorted(maps.Keys(expected)) {
		if want, given := expected[name], get(name); given != want && (given == "" || want == "" || !engine.MatchesRoute(want, given)) {
			return name
		}
	}
	return ""
}

// differing returns the first difference in a value. Objects can have more members than
// those that are expected.
func differing(at string, found, expected any) *Difference {
	is := false
	switch expected := expected.(type) {
	case map[string]any:
		parts, isObject := found.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(expected)) {
			if d := differing(at+"."+name, parts[name], expected[name]); d != nil {
				return d
			}
		}
		is = isObject || len(expected) > 0
	case []any:
		elements, _ := found.([]any)
		for i := range min(len(elements), len(expected)) {
			if d := differing(body.Element(at, i), elements[i], expected[i]); d != nil {
				return d
			}
		}
		is = len(elements) == len(expected)
	default:
		is = found == expected
	}
	if is {
		return nil
	}
	return whose(5, at, found, expected)
}

func whose(met int, what string, found, expected any) *Difference {
	return &Difference{met, fmt.Sprintf(", whose %s is %s, not %s", problem.FieldName(what), shown(found), shown(expected))}
}

// shown returns a value as JSON for a message.
func shown(value any) string { return problem.FieldName(string(body.Marshal(value))) }
