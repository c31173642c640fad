package explore

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
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

// MarshalText returns the same.
func (r Request) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

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
	creations map[string]string // addresses of the new objects, by their creations
	ordered   bool
}

// Learn returns the script of an undisturbed apply. base and end are the addresses in the
// states before and after it, by id. If the requests are ordered, they come in the same
// order in each run, but their bodies may differ.
func Learn(base, end map[string]string, records []Record, ordered bool) *Script {
	all := maps.Clone(end)
	maps.Copy(all, base)
	s := &Script{base: base, creations: map[string]string{}, ordered: ordered}
	for range 2 { // the first time, it learns the creations
		s.Requests = nil
		names := &Names{all, s, map[string]int{}}
		for _, record := range records {
			request, creation := names.Request(record.Method, record.Path, record.Body)
			if record.Created != "" {
				s.creations[creation] = end[record.Created]
			}
			s.Requests = append(s.Requests, request)
		}
	}
	slices.SortFunc(s.Requests, func(a, b Request) int { return cmp.Compare(a.String(), b.String()) })
	return s
}

// Names names the requests of one run, as they come. It is used by one at a time.
type Names struct {
	known  map[string]string // addresses by id
	script *Script
	seen   map[string]int // numbers of requests and creations
}

// Names returns the names of a run that has not begun.
func (s *Script) Names() *Names { return &Names{maps.Clone(s.base), s, map[string]int{}} }

// Request returns the name of the next request and, of a POST, that of its creation.
func (n *Names) Request(method, path string, body []byte) (request Request, creation string) {
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
		creation = request.String() + " by "
		if !n.script.ordered {
			creation += n.meaning(body)
		}
		n.seen[creation]++
		creation += fmt.Sprintf("#%d", n.seen[creation])
		request.Creates = n.script.creations[creation]
		request.About = cmp.Or(request.Creates, request.About)
	}
	n.seen[request.String()]++
	request.Times = n.seen[request.String()]
	return request, creation
}

// Created says which id the response to a creation has.
func (n *Names) Created(creation, id string) {
	if address := n.script.creations[creation]; address != "" {
		n.known[id] = address
	}
}

// times are the values that are times.
var times = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[^"]*"`)

// meaning returns a body with addresses instead of ids, and without times.
func (n *Names) meaning(body []byte) string {
	longest := func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) } // one id can begin another
	var pairs []string
	for _, id := range slices.SortedFunc(maps.Keys(n.known), longest) {
		pairs = append(pairs, id, n.known[id])
	}
	return times.ReplaceAllString(strings.NewReplacer(pairs...).Replace(string(body)), `"time"`)
}
