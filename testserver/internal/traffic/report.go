package traffic

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Report is what clients notice of an apply.
type Report struct {
	Runs     int      `json:"runs"`
	Requests []Found  `json:"requests"` // worst first
	Assumed  []string `json:"assumed"`  // what the decisions depend on and is not certain
	Failure  string   `json:"failure,omitempty"`
	Baseline
}

// Baseline is the part of a report that a later one is compared with.
type Baseline struct {
	Keys  []string `json:"keys"`  // of all findings
	Known int      `json:"known"` // number of those that an earlier report has
}

// Has adds the key of a finding, and reports whether it is one of the keys of an earlier
// report.
func (b *Baseline) Has(key string, earlier []string) bool {
	b.Keys = append(b.Keys, key)
	if !slices.Contains(earlier, key) {
		return false
	}
	b.Known++
	return true
}

// Found is the worst of all runs for a request.
type Found struct {
	Request Request `json:"request"`
	Class   Class   `json:"class"`
	InRuns  int     `json:"in_runs"` // how many runs had this class
	Before  string  `json:"before"`
	After   string  `json:"after"`
	States  []Shown `json:"states"`           // in between, and the last one
	Advice  string  `json:"advice,omitempty"` // how to avoid it

	total  time.Duration
	opened []string // what it reaches
}

// Shown is a state of a request.
type Shown struct {
	Answer string  `json:"answer"`
	At     float64 `json:"at_s"`
	For    float64 `json:"for_s"`
	Cause  string  `json:"cause"`
}

// Names returns the address of the object of a change, or its key.
type Names func(Change) string

// Add adds a run.
func (r *Report) Add(timelines []Timeline, name Names) {
	r.Runs++
	known := map[Request]int{}
	for i, f := range r.Requests {
		known[f.Request] = i
	}
	for _, t := range timelines {
		r.Assumed = append(r.Assumed, t.Assumed...)
		one := found(t, name)
		at, again := known[t.Request]
		if !again {
			r.Requests = append(r.Requests, one)
			continue
		}
		old := r.Requests[at]
		switch more := worse(one.Class, old.Class); {
		case more < 0:
			r.Requests[at] = one
		case more == 0 && one.total > old.total:
			one.InRuns += old.InRuns
			r.Requests[at] = one
		case more == 0:
			r.Requests[at].InRuns++
		}
	}
	slices.Sort(r.Assumed)
	r.Assumed = slices.Compact(r.Assumed)
	slices.SortStableFunc(r.Requests, func(a, b Found) int {
		return cmp.Or(worse(a.Class, b.Class), cmp.Compare(a.Request.String(), b.Request.String()))
	})
}

func found(t Timeline, name Names) Found {
	f := Found{Request: t.Request, Class: t.Class(), InRuns: 1, Before: t.Before.String(), After: t.After.String(), States: []Shown{}}
	for i, state := range t.Between {
		f.States = append(f.States, Shown{state.Decision.String(), state.At.Seconds(), state.For.Seconds(), causes(state.Cause, name)})
		if i+1 == len(t.Between) || t.ClassOf(state.Decision) != f.Class {
			continue
		}
		f.total += state.For
		if f.Class != Opened {
			continue
		}
		f.opened = append(f.opened, state.Decision.Answer)
		if begin, end := state.Cause, t.Between[i+1].Cause; end[0].Verb == "creation" {
			f.Advice = advice(withoutIndex(name(end[0])), withoutIndex(name(begin[0])))
		}
	}
	return f
}

// advice returns how one resource of a module comes before another one.
func advice(first, second string) string {
	module := func(address string) string { // what comes before the type and the name
		parts := strings.Split(address, ".")
		return strings.Join(parts[:max(0, len(parts)-2)], ".")
	}
	if first == second || module(first) != module(second) {
		return ""
	}
	return problem.Escape(fmt.Sprintf("Add %s to depends_on of %s.", first, second))
}

// maxCauses is how many changes of one transaction a report names.
const maxCauses = 3

func causes(made []Change, name Names) string {
	var texts []string
	for _, c := range made[:min(len(made), maxCauses)] {
		texts = append(texts, c.Verb+" of "+problem.Escape(name(c)))
	}
	if more := len(made) - maxCauses; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, ", ")
}

// withoutIndex returns the address of a resource from that of an instance.
func withoutIndex(address string) string {
	if at := strings.LastIndexByte(address, '['); at > 0 && strings.HasSuffix(address, "]") {
		return address[:at]
	}
	return address
}

// String returns what a client sees.
func (d Decision) String() string {
	text := d.Answer
	if d.Certificate != "" && d.Certificate != ofService {
		text += ", certificate " + d.Certificate
	}
	return problem.Escape(text)
}

// Without leaves out what an earlier report has, by its keys.
func (r *Report) Without(keys []string) {
	r.Requests = slices.DeleteFunc(r.Requests, func(f Found) bool {
		return f.Class != Unchanged && r.Has(fmt.Sprintf("%s, %s, before %s, after %s %q", f.Class, f.Request, f.Before, f.After, f.opened), keys)
	})
	if r.Failure != "" && r.Has(r.Failure, keys) {
		r.Failure = ""
	}
}

// Bad reports whether something was opened or interrupted.
func (r *Report) Bad() bool {
	return slices.ContainsFunc(r.Requests, func(f Found) bool { return f.Class == Opened || f.Class == Interrupted })
}

// headings say what the classes mean, and what to do.
var headings = map[Class]string{
	Opened: "opened: a client reaches a backend that it reaches neither before nor after\n" +
		"  What to do: add what keeps clients out to depends_on of the backend, so that it exists first.",
	Interrupted: "interrupted: served before and after, but not in between\n" +
		"  What to do: add create_before_destroy to what is replaced, or choose a quiet time.",
	Changed: "changed: another answer after the apply than before\n" +
		"  What to do: compare the answers with what the change is for.",
}

// WriteText writes the report for people. Requests to which the same happens stand
// together.
func (r *Report) WriteText(out io.Writer) error {
	var b strings.Builder
	counts := map[Class]int{}
	requests := map[string][]string{} // by what happens to them
	for _, f := range r.Requests {
		counts[f.Class]++
		text := f.Text(r.Runs)
		requests[text] = append(requests[text], f.Request.String())
	}
	heading := Unchanged
	for _, f := range r.Requests {
		text := f.Text(r.Runs)
		if f.Class == Unchanged || requests[text] == nil {
			continue
		}
		if f.Class != heading {
			fmt.Fprintf(&b, "%s\n", headings[f.Class])
		}
		fmt.Fprintf(&b, "  %s\n%s\n", strings.Join(requests[text], "\n  "), text)
		heading, requests[text] = f.Class, nil
	}
	fmt.Fprintf(&b, "requests: %d, runs: %d", len(r.Requests), r.Runs)
	for _, class := range Classes {
		fmt.Fprintf(&b, ", %s: %d", class, counts[class])
	}
	b.WriteString("\n")
	for _, name := range r.Assumed {
		fmt.Fprintf(&b, "assumed: %s\n", problem.Escape(name))
	}
	if r.Known > 0 {
		fmt.Fprintf(&b, "%d others are as in the baseline.\n", r.Known)
	}
	if r.Failure != "" {
		fmt.Fprintf(&b, "The apply fails: %s\n", r.Failure)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// Text returns what happens to the request, in lines.
func (f Found) Text(runs int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "    in %d of %d runs\n    before   %s\n", f.InRuns, runs, f.Before)
	for i, s := range f.States {
		when := fmt.Sprintf("%.3f s", s.For)
		if i+1 == len(f.States) {
			when = "after"
		}
		fmt.Fprintf(&b, "    %-8s %s, from the %s\n", when, s.Answer, s.Cause)
	}
	if f.Advice != "" {
		fmt.Fprintf(&b, "    %s\n", f.Advice)
	}
	return b.String()
}
