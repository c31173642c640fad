package explore

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Request names a request of an apply so that the name is the same in each run, in which
// ids, times and the order differ.
type Request struct {
	Method  string
	Path    string // with addresses of resources instead of their ids
	Creates string // address of the resource that it creates; empty for others
	About   string // address of the resource that it is about, and what of it; or the path
	Times   int    // 1 for the first request with the same method, path and creation
}

// String returns a name such as
// "DELETE /backends/tunnel_group/tunnel_group_backend.blue", or
// "POST /backends/tunnel_group (tunnel_group_backend.blue)#2" for the second one.
func (r Request) String() string {
	name := r.Method + " " + r.Path
	if r.Creates != "" {
		name += " (" + r.Creates + ")"
	}
	if r.Times > 1 {
		name += fmt.Sprintf("#%d", r.Times)
	}
	return name
}

// Record is a request of an undisturbed apply.
type Record struct {
	Method, Path string
	Body         []byte
	Created      string // id in the response; empty if it creates nothing
}

// Script is what an undisturbed apply has shown of its requests.
type Script struct {
	Requests  []Request
	base      map[string]string // addresses of the objects before the apply, by id
	creations map[string]string // addresses of the new objects, by the request that makes them
	order     []string          // those requests in their order
	made      map[string]string // addresses of the new objects of the undisturbed apply, by id
}

// Learn returns the script of an undisturbed apply. base and end are the addresses in the
// states before and after it, by id. A new object that is in neither of them is named by
// the end of its path and its number, such as ssh_credentials.2.
func Learn(base, end map[string]string, records []Record) *Script {
	all := maps.Clone(end)
	maps.Copy(all, base)
	s := &Script{base: base, creations: map[string]string{}, made: map[string]string{}}
	names, number := newNames(all, &Script{}), map[string]int{}
	for _, record := range records {
		if _, creation := names.Request(record.Method, record.Path, record.Body); record.Created != "" {
			kind := record.Path[strings.LastIndex(record.Path, "/")+1:]
			number[kind]++
			s.creations[creation] = cmp.Or(end[record.Created], fmt.Sprintf("%s.%d", kind, number[kind]))
			s.order = append(s.order, creation)
			s.made[record.Created] = s.creations[creation]
			names.known[record.Created] = s.creations[creation]
			names.replace()
		}
	}
	maps.Copy(all, s.made)
	names = newNames(all, s)
	for _, record := range records {
		request, _ := names.Request(record.Method, record.Path, record.Body)
		s.Requests = append(s.Requests, request)
	}
	slices.SortFunc(s.Requests, func(a, b Request) int { return cmp.Compare(a.String(), b.String()) })
	return s
}

// Of returns the address of an object of the undisturbed apply, or "".
func (s *Script) Of(id string) string { return cmp.Or(s.made[id], s.base[id]) }

// Names names the requests of one run, as they come.
type Names struct {
	mutex    sync.Mutex
	known    map[string]string // addresses by id
	replacer *strings.Replacer // of known ids
	script   *Script
	used     map[string]bool // creations of the script that came
	bodies   map[string]int  // number of requests that are the same with their body
	requests map[string]int  // and without it
}

// Names returns the names of a run that has not begun.
func (s *Script) Names() *Names { return newNames(maps.Clone(s.base), s) }

func newNames(known map[string]string, script *Script) *Names {
	n := &Names{known: known, script: script, used: map[string]bool{}, bodies: map[string]int{}, requests: map[string]int{}}
	n.replace()
	return n
}

// replace makes the replacer. Longer ids come first, because one can begin another.
func (n *Names) replace() {
	ids := slices.SortedFunc(maps.Keys(n.known), func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	var pairs []string
	for _, id := range ids {
		pairs = append(pairs, id, n.known[id])
	}
	n.replacer = strings.NewReplacer(pairs...)
}

// Request returns the name of the next request, and what Created needs.
func (n *Names) Request(method, path string, body []byte) (request Request, creation string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	parts := strings.Split(path, "/")
	about := path
	for i, part := range parts {
		if address := n.known[part]; address != "" {
			parts[i] = address
			about = strings.Join(parts[i:], "/")
		}
	}
	request = Request{Method: method, Path: strings.Join(parts, "/"), About: about}
	if method == "POST" {
		key := request.String() + " " + n.meaning(body)
		n.bodies[key]++
		creation = fmt.Sprintf("%s#%d", key, n.bodies[key])
		if next := n.next(request.String() + " "); next != "" && n.script.creations[key+"#1"] == "" {
			creation = next
		}
		n.used[creation] = true
		request.Creates = n.script.creations[creation]
		request.About = cmp.Or(request.Creates, request.About)
	}
	n.requests[request.String()]++
	request.Times = n.requests[request.String()]
	return request, creation
}

// next returns the next creation of the undisturbed run, for a body that differs in each
// run: the first one with the same beginning that was not used.
func (n *Names) next(beginning string) string {
	for _, creation := range n.script.order {
		if strings.HasPrefix(creation, beginning) && !n.used[creation] {
			return creation
		}
	}
	return ""
}

// Created says which id the response to a creation has. It returns the address of the
// resource, or "" if the undisturbed apply has no such creation.
func (n *Names) Created(creation, id string) string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	address := n.script.creations[creation]
	if address != "" {
		n.known[id] = address
		n.replace()
	}
	return address
}

// Again begins another run, in which the same requests come again.
func (n *Names) Again() {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.used, n.bodies, n.requests = map[string]bool{}, map[string]int{}, map[string]int{}
}

// Of returns the address of an id, or "".
func (n *Names) Of(id string) string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return n.known[id]
}

// meaning returns a body with addresses instead of ids, and without times.
func (n *Names) meaning(body []byte) string {
	var value any
	if json.Unmarshal([]byte(n.replacer.Replace(string(body))), &value) != nil {
		return ""
	}
	text, _ := json.Marshal(withoutTimes(value))
	return string(text)
}

func withoutTimes(value any) any {
	switch value := value.(type) {
	case string:
		if _, err := time.Parse(time.RFC3339, value); err == nil {
			return "time"
		}
	case map[string]any:
		for name, member := range value {
			value[name] = withoutTimes(member)
		}
	case []any:
		for i, element := range value {
			value[i] = withoutTimes(element)
		}
	}
	return value
}
