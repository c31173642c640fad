package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// read returns the object at a path.
func (run *Run) read(path, route string) (map[string]any, error) {
	got, err := run.exchange(testCase{method: http.MethodGet, path: path, route: route})
	if err == nil && got.status != http.StatusOK {
		err = fmt.Errorf("GET %s: status %d", route, got.status)
	}
	return got.body, err
}

// shared returns the id of an object that requests refer to. The object is made at the
// first use. If that fails, the next variant is not sent.
func (run *Run) shared(route string, n int) string {
	for len(run.objects[route]) <= n {
		id, err := "", run.lacking[route]
		if err == nil {
			id, _, err = run.make(route, route, run.smallest(route))
		}
		if run.lacking[route] = err; err != nil {
			run.lack = cmp.Or(run.lack, err)
			return "unknown"
		}
		run.objects[route] = append(run.objects[route], id)
	}
	return run.objects[route][n]
}

// offered returns the first of some collections that the service has.
func (run *Run) offered(routes []string) string {
	for _, route := range routes {
		lack := run.lack
		if run.shared(route, 0); run.lacking[route] == nil {
			return route
		}
		run.lack = lack
	}
	return routes[0]
}

// owner returns the owner for objects that are created with one.
func (run *Run) owner() string {
	if run.ownerID == "" {
		_, answer, err := run.make("/ssh_credentials", "/ssh_credentials", run.smallest("/ssh_credentials"))
		if run.ownerID, _ = answer["owner_id"].(string); run.ownerID == "" && run.lack == nil {
			run.lack = cmp.Or(err, errors.New("the response to POST /ssh_credentials has no owner_id"))
			run.lack = fmt.Errorf("the owner of an SSH credential is unknown: %w", run.lack)
		}
	}
	return run.ownerID
}

// smallest returns a body with the required fields and the mark.
func (run *Run) smallest(route string) map[string]any {
	input := run.input(route, http.MethodPost)
	members := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(input.Fields)) {
		if slices.Contains(input.Required, name) || name == "description" || name == "metadata" {
			members[name] = run.field(name, input.Fields[name])
		}
	}
	return members
}

// source is the type of the event source in each subscription that is a parent.
const source = "domain_created.v0"

// Path replaces the parameters of a route with ids of objects that it makes. Each call
// makes new objects, so that operations do not depend on each other.
func (run *Run) Path(route string) (path string, err error) {
	segments := strings.Split(route, "/")
	for i, segment := range segments[1:] {
		collection := strings.Join(segments[:i+1], "/")
		switch segment {
		case "{type}":
			segment = source
		case "{id}":
			segment, _, err = run.make(collection, path, run.Sample(collection, http.MethodPost))
		case "{edge_id}", "{subscription_id}":
			members := run.smallest(collection)
			if run.input(collection, http.MethodPost).Fields["sources"] != nil {
				members["sources"] = []any{map[string]any{"type": source}}
			}
			segment, _, err = run.make(collection, path, members)
		}
		if err != nil {
			return "", err
		}
		path += "/" + segment
	}
	return path, nil
}

// make creates an object for other requests.
func (run *Run) make(route, path string, members map[string]any) (id string, answer map[string]any, err error) {
	if lack := run.lack; lack != nil {
		run.lack = nil
		return "", nil, lack
	}
	v := testCase{method: http.MethodPost, route: route, path: path, body: members}
	got, err := run.exchange(v)
	if err != nil {
		return "", nil, err
	}
	name := run.created(v, got)
	if name == "" || got.status >= http.StatusMultipleChoices {
		return "", nil, fmt.Errorf("the service did not make an object that it needs: POST %s: status %d", route, got.status)
	}
	return name[strings.LastIndex(name, "/")+1:], got.body, nil
}

// created remembers the object that a POST has made, and returns its path. It returns
// an empty string if there is none.
func (run *Run) created(v testCase, got answer) string {
	if v.method != http.MethodPost || got.status >= http.StatusMultipleChoices {
		return ""
	}
	id, _ := got.body[run.keyOf(v.route)].(string)
	if id == "" || strings.ContainsAny(id, "/?#%") {
		run.Unclear++
		return ""
	}
	path := v.path + "/" + id
	run.ids[path]++
	run.made = append(run.made, path)
	return path
}

// discard deletes an object. If that fails, the object is deleted at the end.
func (run *Run) discard(path string) {
	if got, err := run.exchange(testCase{method: http.MethodDelete, path: path, route: path}); err == nil {
		run.deleted(path, got.status)
	}
}

// deleted removes an object, and all in it, from those that exist, if a DELETE with a
// status deletes it. Some services only say so: of each kind, one has to be gone.
func (run *Run) deleted(path string, status int) {
	kind := strings.Split(path, "/")
	last := kind[len(kind)-2]
	if !run.deletes[last] && status < http.StatusMultipleChoices && slices.Contains(run.made, path) {
		got, err := run.exchange(testCase{method: http.MethodGet, path: path, route: path})
		run.deletes[last] = err == nil && got.status != http.StatusOK
	}
	if status != http.StatusNotFound && status != http.StatusGone && (status >= http.StatusMultipleChoices || !run.deletes[last]) {
		return
	}
	for route, ids := range run.objects {
		run.objects[route] = slices.DeleteFunc(ids, func(id string) bool { return route+"/"+id == path })
	}
	run.made = slices.DeleteFunc(run.made, func(made string) bool { return made == path || strings.HasPrefix(made, path+"/") })
}

// maxRounds is how often Clean tries, because an object in use cannot be deleted.
const maxRounds = 4

// Clean deletes all objects that the run has made. It returns an error that names
// those that are left.
func (run *Run) Clean(ctx context.Context) error {
	run.ctx = ctx
	for range maxRounds {
		for _, path := range slices.Backward(slices.Clone(run.made)) {
			if slices.Contains(run.made, path) {
				run.stopped = nil
				run.discard(path)
			}
		}
	}
	if len(run.made) > 0 {
		return fmt.Errorf("%s left: %v", problem.Count(len(run.made), "object"), run.made)
	}
	return nil
}
