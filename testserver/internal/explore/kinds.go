package explore

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is a way to interrupt an apply at a request.
type Kind string

// The kinds of interruptions. "Lost" means that the request is processed and its
// connection closes without a response.
const (
	Refused            Kind = "refused" // the connection closes, and the request is not processed
	Fails              Kind = "500"     // the request is not processed
	Lost               Kind = "answer-lost"
	LostUnlisted       Kind = "answer-lost-unlisted" // and lists show the objects of ten seconds ago
	Late               Kind = "answer-late"          // the response comes when the client has given up
	FailsAfter         Kind = "503-after"            // the request is processed
	Outage             Kind = "outage"               // the connections of this and all later requests close
	InterruptGroup     Kind = "sigint-group"         // as Ctrl-C in a terminal
	InterruptTerraform Kind = "sigint-terraform"
	TerminateGroup     Kind = "sigterm-group"
	TerminateTerraform Kind = "sigterm-terraform"
	KillProvider       Kind = "kill-provider" // SIGKILL after the request is processed, before the response
	KillTerraform      Kind = "kill-terraform"
	KillGroup          Kind = "kill-group"
)

// Kinds are all kinds of interruptions.
var Kinds = []Kind{
	Refused, Fails, Lost, LostUnlisted, Late, FailsAfter, Outage,
	InterruptGroup, InterruptTerraform, TerminateGroup, TerminateTerraform, KillProvider, KillTerraform, KillGroup,
}

// List returns the names of all kinds.
func List() string { return strings.Trim(fmt.Sprint(Kinds), "[]") }

// Signals reports whether the kind sends a signal.
func (k Kind) Signals() bool { return strings.HasPrefix(string(k), "sig") || k.Kills() }

// Kills reports whether the kind sends SIGKILL.
func (k Kind) Kills() bool { return strings.HasPrefix(string(k), "kill-") }

// differs reports whether the kind is not the same as another one at a request. Nothing
// is lost with the response to a read.
func (k Kind) differs(at Request) bool {
	switch k {
	case Lost, Late, FailsAfter:
		return at.Method != "GET"
	case LostUnlisted:
		return at.Method == "POST"
	default:
		return true
	}
}

// Interruption is an interruption of an apply at a request.
type Interruption struct {
	At   Request `json:"request"`
	Kind Kind    `json:"interruption"`
}

// String returns the name of an interruption, such as "POST /edges/tls
// (tunnel_tls_edge.web):answer-lost".
func (i Interruption) String() string { return i.At.String() + ":" + string(i.Kind) }

// Plan returns all interruptions, request by request. Those of a part of the processes
// are for Terraform only.
func Plan(requests []Request, terraform bool) []Interruption {
	var all []Interruption
	for _, at := range requests {
		for _, kind := range Kinds {
			if kind.differs(at) && (terraform || !strings.HasSuffix(string(kind), "-terraform") && kind != KillProvider) {
				all = append(all, Interruption{at, kind})
			}
		}
	}
	return all
}

// Unknown is the error of a name that no interruption has.
type Unknown string

func (u Unknown) Error() string { return string(u) }

// Only returns the interruptions with one of the names: of an interruption, of a request,
// or of a kind.
func Only(all []Interruption, names []string) ([]Interruption, error) {
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(i Interruption) bool { return i.is(name) }) {
			var requests, kinds []string
			for _, i := range all {
				requests = append(requests, "  "+i.At.String())
				if !slices.Contains(kinds, string(i.Kind)) {
					kinds = append(kinds, string(i.Kind))
				}
			}
			return nil, Unknown(fmt.Sprintf("invalid -only: expected a request, a request with :KIND, or a kind; found %q.\nThe kinds are %s.\n"+
				"The requests are:\n%s", name, strings.Join(kinds, " "), strings.Join(slices.Compact(requests), "\n")))
		}
	}
	var chosen []Interruption
	for _, i := range all {
		if slices.ContainsFunc(names, i.is) {
			chosen = append(chosen, i)
		}
	}
	return chosen, nil
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
