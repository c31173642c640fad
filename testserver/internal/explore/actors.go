package explore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
)

// The acts of somebody else while a request is held. With afterwards, the request is held
// after it is processed.
const (
	Deletes         Kind = "delete"          // the object that the request names
	DeletesReferred Kind = "delete-referred" // an object that it refers to, or one around it
	EditsPlanned    Kind = "edit-planned"    // an attribute that the request changes
	EditsOther      Kind = "edit-other"      // another attribute
	Twin            Kind = "twin"            // sends the same creation
	Second          Kind = "second-apply"    // a second pipeline plans and applies, with a copy of the state
	Saved           Kind = "saved-plan"      // a second pipeline applies the same plan

	afterwards = "-after"
)

// Actors are the acts of somebody else, while the request is held before it is processed.
var Actors = []Kind{Deletes, DeletesReferred, EditsPlanned, EditsOther, Twin, Second, Saved}

// act returns the act of a kind, and whether it is one.
func (k Kind) act() (Kind, bool) {
	act := Kind(strings.TrimSuffix(string(k), afterwards))
	return act, slices.Contains(Actors, act)
}

// actor is somebody else, who acts once while a request is held.
type actor struct {
	server        *testserver.Server
	act           Kind
	before, after Account           // around the act
	known         map[string]string // addresses of objects that the actor knows, by id
	edited        *edit
	errors        []copy.Diagnostic // of the second pipeline
	err           error

	// second runs a second pipeline, and returns what its state holds.
	second func(saved bool) (held map[string]string, errors []copy.Diagnostic, err error)
}

// edit is a changed member of an object.
type edit struct {
	path, member string
	value        any
}

// held is a request that is held.
type held struct {
	Record
	was map[string]any // the object that it names, before it
}

// names returns the path of the object that the request names, or has created.
func (h held) names() string { return path.Join(h.Path, h.Created) }

// do acts.
func (a *actor) do(h held) {
	if a.before, a.err = ParseAccount(a.server.Export()); a.err != nil {
		return
	}
	a.err = errors.New("somebody else could not act") // a server recovers from a panic
	switch a.act {
	case Deletes:
		a.server.Do(http.MethodDelete, h.names(), "")
	case DeletesReferred:
		for _, path := range a.paths(h) {
			if path == h.names() {
				continue
			}
			if status, _ := a.server.Do(http.MethodDelete, path, ""); status < http.StatusBadRequest {
				break // the service refuses most of them
			}
		}
	case EditsPlanned, EditsOther:
		for _, path := range a.paths(h) {
			if a.edit(path, h, a.act == EditsPlanned); a.edited != nil {
				break
			}
		}
	case Twin:
		a.server.Do(h.Method, h.Path, string(h.Body))
	default:
		if a.known, a.errors, a.err = a.second(a.act == Saved); a.err != nil {
			return
		}
	}
	if a.after, a.err = ParseAccount(a.server.Export()); a.known == nil {
		a.known = map[string]string{}
		for id := range a.after {
			if a.before[id] == nil {
				a.known[id] = id
			}
		}
	}
}

// paths returns the paths of what exists of what a request names, the innermost first,
// and then of what its body refers to.
func (a *actor) paths(h held) (all []string) {
	for at := h.names(); at != "/" && at != "."; at = path.Dir(at) {
		if _, exists := a.get(at); exists {
			all = append(all, at)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.before)) {
		if list, _ := a.before[id]["path"].(string); list != "" && bytes.Contains(h.Body, []byte(`"`+id+`"`)) {
			all = append(all, list+"/"+id)
		}
	}
	return all
}

// get returns an object or a module, but no list.
func (a *actor) get(path string) (map[string]any, bool) {
	status, object := a.server.Do(http.MethodGet, path, "")
	_, list := object["next_page_uri"]
	return object, status == http.StatusOK && !list
}

// edit changes the first member that the service changes, among those that the request
// changes too, or the others. Nearly all objects have a description and metadata.
func (a *actor) edit(at string, h held, planned bool) {
	object, _ := a.get(at)
	sent := map[string]any{}
	if at == h.Path || at == h.names() {
		_ = json.Unmarshal(h.Body, &sent) // a body that is no object changes nothing
	}
	members := slices.Concat(slices.Collect(maps.Keys(object)), slices.Collect(maps.Keys(sent)), []string{"description", "metadata"})
	slices.Sort(members)
	for _, member := range slices.Compact(members) {
		value, is := sent[member]
		same := empty(value) && empty(h.was[member]) || reflect.DeepEqual(value, h.was[member])
		if planned != (is && !same) {
			continue
		}
		method, body := http.MethodPatch, map[string]any{}
		if h.Method == http.MethodPut && at == h.Path {
			method, body = http.MethodPut, maps.Clone(sent)
		}
		body[member] = otherwise(object[member])
		a.server.Do(method, at, asJSON(body))
		if now, _ := a.get(at); !reflect.DeepEqual(now[member], object[member]) {
			a.edited = &edit{at, member, now[member]}
			return
		}
	}
}

// otherwise returns another value of the same type. The service may refuse it.
func otherwise(value any) any {
	switch value := value.(type) {
	case bool:
		return !value
	case float64:
		return value + 1
	case []any:
		return value[:max(0, len(value)-1)]
	case map[string]any:
		other := maps.Clone(value)
		other["edited"] = "by somebody else"
		return other
	default:
		return "edited by somebody else"
	}
}

// touched reports whether the act has made, changed or deleted an object.
func (a *actor) touched(id string) bool {
	return a != nil && !reflect.DeepEqual(a.before[id], a.after[id])
}

// acted reports whether the act changed anything. A service may refuse it.
func (a *actor) acted() bool { return a.after != nil && !reflect.DeepEqual(a.before, a.after) }

// judge adds what has become of the act. said has the addresses in all later plans.
func (a *actor) judge(f *Found, j *Judge, now Account, held, names map[string]string, said map[string]bool) {
	for _, id := range slices.Sorted(maps.Keys(a.after)) {
		_, holds := held[id]
		address, known := a.known[id]
		switch current := now[id]; {
		case a.before[id] != nil || holds:
		case !reflect.DeepEqual(current, a.after[id]) && !slices.Contains([]Kind{Second, Saved}, a.act):
			f.Unplanned = append(f.Unplanned, id+", which somebody else has made, is changed or gone")
		case address != id && known && current != nil:
			f.Twice = append(f.Twice, Object{Address: address, ID: id})
		}
	}
	if e := a.edited; e != nil && a.act == EditsOther {
		object, _ := a.get(e.path)
		id := path.Base(e.path)
		if names[id] == "" { // a module
			id = path.Base(path.Dir(e.path)) + "/" + id
		}
		if !reflect.DeepEqual(object[e.member], e.value) && !j.Plan.ends[id] && !said[names[id]] {
			f.Undone = fmt.Sprintf("%s of %s", e.member, names[id])
		}
	}
}
