package testserver

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// handler answers a call; the error is a *problem.
type handler func(*call) (*reply, error)

// endpoint is one path of the API with the methods it has.
type endpoint struct {
	pattern  string // as in the API documentation: /ssh_credentials/{id}
	segments []string
	methods  map[string]handler
}

// unknownEndpoint stands for every path that the API does not have.
var unknownEndpoint = &endpoint{}

func newEndpoint(pattern string, methods map[string]handler) *endpoint {
	return &endpoint{pattern: pattern, segments: strings.Split(pattern[1:], "/"), methods: methods}
}

// endpoints is the whole API.
func (s *Server) endpoints() routes {
	var all routes
	all = append(all, s.sshHostCertificates().endpoints()...)
	all = append(all, s.sshCredentials().endpoints()...)
	all = append(all, s.tlsCertificates().endpoints()...)
	all = append(all, s.failoverBackends().endpoints()...)
	all = append(all, s.tunnelGroupBackends().endpoints()...)
	all = append(all, s.eventSources()...)

	all = append(all, s.sshCertificateAuthorities().endpoints()...)
	all = append(all, s.edges("tls").endpoints()...)
	all = append(all, s.edges("tcp").endpoints()...)
	all = append(all, s.httpsEdges().endpoints()...)
	all = append(all, s.httpsEdgeRoutes().endpoints()...)
	all = append(all, s.eventSubscriptions().endpoints()...)

	all = append(all, s.edgePolicy("tls").endpoint())
	all = append(all, s.edgePolicy("tcp").endpoint())
	all = append(all, s.websocketConverter().endpoint())
	all = append(all, s.compression().endpoint())
	return all
}

type routes []*endpoint

// pathID is what an id or event type in a path may be.
var pathID = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

// find gives the endpoint of a path and the values of its parameters. Where there is none, or a value cannot be an id,
// the problem says so. There are no redirects and no cleaning: only the exact path counts.
func (rs routes) find(escapedPath string) (*endpoint, map[string]string, error) {
	parts := strings.Split(strings.TrimPrefix(escapedPath, "/"), "/")
	if !strings.HasPrefix(escapedPath, "/") || slices.Contains(parts, "") {
		return unknownEndpoint, nil, unknownPath()
	}
	for _, e := range rs {
		values, ok := e.match(parts)
		if !ok {
			continue
		}
		for name, escaped := range values {
			value, err := url.PathUnescape(escaped)
			if err != nil || !pathID.MatchString(value) || value == "." || value == ".." {
				return e, nil, invalid(name, "%s in the path may only hold letters, digits and the characters _ . -", name)
			}
			values[name] = value
		}
		return e, values, nil
	}
	return unknownEndpoint, nil, unknownPath()
}

// match compares segment by segment.
func (e *endpoint) match(parts []string) (map[string]string, bool) {
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

// method is the handler of an HTTP method, or 405 with the methods that there are.
func (e *endpoint) method(name string) (handler, error) {
	if h, ok := e.methods[name]; ok {
		return h, nil
	}
	var allowed []string
	for method := range e.methods {
		allowed = append(allowed, method)
	}
	slices.Sort(allowed)
	return nil, &problem{status: http.StatusMethodNotAllowed, allow: strings.Join(allowed, ", "),
		message: "this path does not have the method " + printable(name)}
}

// name is how an endpoint is called in statistics.
func (e *endpoint) name() string {
	if e.pattern == "" {
		return "(unknown path)"
	}
	return e.pattern
}

// isItem tells whether the path is that of one object with an id, not that of a list or a module.
func (e *endpoint) isItem() bool {
	return strings.HasSuffix(e.pattern, "}")
}

// isList tells whether GET on the path gives a list.
func (e *endpoint) isList() bool {
	return e.methods[http.MethodPost] != nil
}
