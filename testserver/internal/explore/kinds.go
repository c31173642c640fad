package explore

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
)

// Kind is a way to interrupt a run at a request.
type Kind string

// The kinds of interruptions.
const (
	Fails      Kind = "500"         // the request is not processed
	FailsAfter Kind = "503-after"   // the request is processed
	Lost       Kind = "answer-lost" // the request is processed, and the connection closes
	Outage     Kind = "outage"      // the connections of this and all later requests close
	Interrupt  Kind = "sigint"      // before the request is processed, as Ctrl-C in a terminal
	Terminate  Kind = "sigterm"
	Kill       Kind = "kill" // after the request is processed, before the response
)

// Kinds are all kinds of interruptions.
var Kinds = []Kind{Fails, FailsAfter, Lost, Outage, Interrupt, Terminate, Kill}

// signals are those that kinds send to all processes of a command.
var signals = map[Kind]syscall.Signal{Interrupt: syscall.SIGINT, Terminate: syscall.SIGTERM, Kill: syscall.SIGKILL}

// List returns the names of kinds.
func List(kinds []Kind) string { return strings.Trim(fmt.Sprint(kinds), "[]") }

// Interruption is an interruption of an apply at a request.
type Interruption struct {
	At   Request `json:"request"`
	Kind Kind    `json:"interruption"`
}

// String returns the name of an interruption, such as "POST /edges/tls
// (tunnel_tls_edge.web):answer-lost".
func (i Interruption) String() string { return i.At.String() + ":" + string(i.Kind) }

// Plan returns all interruptions of some kinds, request by request.
func Plan(requests []Request, kinds []Kind) []Interruption {
	var all []Interruption
	for _, at := range requests {
		for _, kind := range kinds {
			if kind.matters(at.Method) {
				all = append(all, Interruption{at, kind})
			}
		}
	}
	return all
}

// matters reports whether a kind differs from all others for a method.
func (k Kind) matters(method string) bool {
	act, acts := k.act()
	switch {
	case act == Twin:
		return method == http.MethodPost || method == http.MethodPut
	case method != http.MethodGet:
		return true
	case acts: // while the next request is held, the same happens
		return act == k && act != EditsPlanned
	default: // nothing is lost with the response to a read
		return k != Lost && k != FailsAfter
	}
}

// Unknown is the error of a name that no interruption has.
type Unknown string

func (u Unknown) Error() string { return string(u) }

// Only returns the interruptions with one of the names: of an interruption, of a request,
// or of a kind.
func Only(all []Interruption, names []string, kinds []Kind) ([]Interruption, error) {
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		if !slices.Contains(kinds, Kind(name)) && !slices.ContainsFunc(all, func(i Interruption) bool { return i.is(name) }) {
			var requests []string
			for _, i := range all {
				requests = append(requests, "  "+i.At.String())
			}
			return nil, Unknown(fmt.Sprintf("invalid -only: expected a request, a request with :KIND, or a kind; found %q.\nThe kinds are %s.\n"+
				"The requests are:\n%s", name, List(kinds), strings.Join(slices.Compact(requests), "\n")))
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(i Interruption) bool { return !slices.ContainsFunc(names, i.is) }), nil
}

func (i Interruption) is(name string) bool {
	return name == i.String() || name == i.At.String() || name == string(i.Kind)
}

// Sample returns n of the interruptions, always the same ones, spread over the requests
// and the kinds. If n is 0, it returns all.
func Sample(all []Interruption, n int) []Interruption {
	if n == 0 || n >= len(all) {
		return all
	}
	var chosen []Interruption
	for i := range n { // another kind also if steps are as long as the list of kinds
		chosen = append(chosen, all[i*len(all)/n+i%(len(all)/n)])
	}
	return chosen
}
