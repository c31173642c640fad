package engine

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// handler processes a call. It returns a *problem if the request is refused.
type handler func(*Call) (*Reply, error)

// Endpoint is one path of the API with its methods.
type Endpoint struct {
	Pattern  string // as in the API documentation, for example /ssh_credentials/{id}
	segments []string
	Methods  map[string]handler
	form     *regexp.Regexp // form of the last parameter besides that of an id; nil if there is none
}

// unknownEndpoint is the endpoint of all paths that are not part of the API.
var unknownEndpoint = &Endpoint{}

func newEndpoint(pattern string, methods map[string]handler) *Endpoint {
	return &Endpoint{Pattern: pattern, segments: strings.Split(pattern[1:], "/"), Methods: methods}
}

// Routes are the endpoints of an API.
type Routes []*Endpoint

// pathID matches an id in a path.
var pathID = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

// ValidID reports whether text can be an id in a path.
func ValidID(text string) bool {
	return pathID.MatchString(text) && text != "." && text != ".."
}

// Find returns the endpoint of a path and the values of its parameters. It
// returns an error if the path is unknown or a value is not a valid id. Paths
// must match exactly: the server does not clean or redirect them.
func (rs Routes) Find(escapedPath string) (*Endpoint, map[string]string, error) {
	parts := strings.Split(strings.TrimPrefix(escapedPath, "/"), "/")
	if !strings.HasPrefix(escapedPath, "/") || slices.Contains(parts, "") {
		return unknownEndpoint, nil, problem.UnknownPath()
	}
	for _, e := range rs {
		values, ok := e.match(parts)
		if !ok {
			continue
		}
		for name, escaped := range values {
			value, err := url.PathUnescape(escaped)
			if err != nil || !ValidID(value) && !e.takesName(name, value) {
				return e, nil, problem.Invalid(name, "invalid %s in the path: expected letters, digits and the characters _ . -", name)
			}
			values[name] = value
		}
		return e, values, nil
	}
	unknown := problem.UnknownPath()
	unknown.Message += problem.Nearest(escapedPath, rs.Patterns())
	return unknownEndpoint, nil, unknown
}

// Patterns returns the paths of all endpoints.
func (rs Routes) Patterns() (all []string) {
	for _, e := range rs {
		all = append(all, e.Pattern)
	}
	return all
}

// MatchesRoute reports whether a pattern, which can end in *, matches a route. An
// empty pattern matches all routes.
func MatchesRoute(pattern, route string) bool {
	if prefix, open := strings.CutSuffix(pattern, "*"); open {
		return strings.HasPrefix(route, prefix)
	}
	return pattern == "" || pattern == route
}

// takesName reports whether a parameter is the last one, and the value has its
// form.
func (e *Endpoint) takesName(parameter, value string) bool {
	return e.form != nil && e.segments[len(e.segments)-1] == "{"+parameter+"}" && e.form.MatchString(value)
}

// match compares the path segments with the pattern and returns the parameter
// values.
func (e *Endpoint) match(parts []string) (map[string]string, bool) {
	if len(parts) != len(e.segments) {
		return nil, false
	}
	values := map[string]string{}
	for i, segment := range e.segments {
		if name, ok := parameter(segment); ok {
			values[name] = parts[i]
		} else if segment != parts[i] {
			return nil, false
		}
	}
	return values, true
}

func parameter(segment string) (name string, ok bool) {
	name, ok = strings.CutPrefix(segment, "{")
	return strings.TrimSuffix(name, "}"), ok
}

// key joins the values of the path parameters with slashes. The result is the
// key of the object that the path names, or of its parent.
func (e *Endpoint) key(values map[string]string) string {
	var parts []string
	for _, segment := range e.segments {
		if name, ok := parameter(segment); ok {
			parts = append(parts, values[name])
		}
	}
	return strings.Join(parts, "/")
}

// MethodOf returns the handler of an HTTP method, or a 405 with the supported methods.
func MethodOf[H any](methods map[string]H, name string) (H, error) {
	h, ok := methods[name]
	if ok {
		return h, nil
	}
	allowed := slices.Collect(maps.Keys(methods))
	slices.Sort(allowed)
	return h, &problem.Problem{Status: http.StatusMethodNotAllowed, Allow: strings.Join(allowed, ", "),
		Message: "this path does not support the method " + problem.Printable(name) + ": expected " + strings.Join(allowed, ", ")}
}

// Known reports whether the endpoint is part of the API.
func (e *Endpoint) Known() bool {
	return e != unknownEndpoint
}

// IsModule reports whether the path is that of a module.
func (e *Endpoint) IsModule() bool {
	return e.Methods[http.MethodPut] != nil
}
