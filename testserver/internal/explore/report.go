package explore

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// Recovery is what a way to go on after an interruption has led to.
type Recovery struct {
	Converged bool     // the last plan is empty
	Applies   int      // until then
	Imports   []Import // that the errors advised
	Left      []Object // that no state holds
	Unplanned []string
	Failure   string // the last error, if it never converged
}

func (r *Recovery) clean() bool { return r.Converged && len(r.Left) == 0 && len(r.Unplanned) == 0 }

// Found is what an interruption has led to.
type Found struct {
	Interruption
	Reached   bool      // the request came
	Succeeded bool      // the interrupted apply ended without an error
	TornState bool      // it left an empty state or half a state, which was replaced by its backup
	Missing   []string  // what was missing until the next apply
	Naive     *Recovery // apply again; nil if the request did not come
	Advised   *Recovery // with the imports that errors advise; nil if there are none
}

// Class says how an interruption ends.
type Class string

// The classes of interruptions, from the worst to the best.
const (
	Unplanned  Class = "unplanned"
	Never      Class = "never"
	Unnamed    Class = "unnamed"
	Named      Class = "named"
	Imported   Class = "import"
	Again      Class = "again"
	Harmless   Class = "none"
	NotReached Class = "not reached"
)

// classes are the classes in the order of a report, and what they say of interruptions.
var classes = []struct {
	class Class
	text  string
}{
	{Unplanned, "change or delete something that the plan does not name"},
	{Never, "never converge: the plan is not empty after three more applies"},
	{Unnamed, "leave an object that no state holds and no message names"},
	{Named, "leave an object that no state holds, and that a message names or says may exist"},
	{Imported, "end with an error that names an import; after it and another apply, all is as planned"},
	{Again, "end with an error or a kill; apply again, and all is as planned"},
	{Harmless, "do not matter: the apply ends as planned"},
	{NotReached, "did not happen: the request did not come in this run"},
}

// best returns the better recovery.
func (f *Found) best() *Recovery {
	if f.Advised != nil && !f.Naive.clean() && (f.Advised.clean() || !f.Naive.Converged) {
		return f.Advised
	}
	return f.Naive
}

// Class returns the class of the interruption. Each has one.
func (f *Found) Class() Class {
	if f.Naive == nil {
		return NotReached
	}
	best := f.best()
	switch {
	case len(f.Naive.Unplanned) > 0 || f.Advised != nil && len(f.Advised.Unplanned) > 0:
		return Unplanned
	case !best.Converged:
		return Never
	case slices.ContainsFunc(best.Left, func(o Object) bool { return o.Named == "" }):
		return Unnamed
	case len(best.Left) > 0:
		return Named
	case best == f.Advised:
		return Imported
	case f.Succeeded && f.Naive.Applies == 0:
		return Harmless
	default:
		return Again
	}
}

// Resources returns the addresses of the resources that have to be looked at: those of
// the objects that are left or imported, or of the interrupted request. If the state was
// lost, it is the state, because then all new objects are left.
func (f *Found) Resources() []string {
	var all []string
	if f.TornState && f.Class() != Again && f.Class() != NotReached {
		return []string{"the local state, which is empty or cut off"}
	}
	if f.Naive != nil {
		for _, object := range f.best().Left {
			all = append(all, object.Address)
		}
	}
	if f.Class() == Imported {
		for _, imported := range f.Advised.Imports {
			all = append(all, imported.Address)
		}
	}
	if len(all) == 0 {
		all = []string{f.At.About}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Report is what an exploration has found.
type Report struct {
	Command  []string // what was explored, such as terraform apply
	Flags    []string // that repeat it on the same account
	Changes  int      // of resources, in the plan; 0 if nothing was explored
	Requests int      // of the undisturbed apply
	Total    int      // number of interruptions
	Found    []Found  // fewer than Total if it was interrupted itself
	Duration time.Duration
}

// Bad reports whether something unplanned has changed or an apply never converges or, if
// strict, an object is left that no message names.
func (r *Report) Bad(strict bool) bool {
	return slices.ContainsFunc(r.Found, func(f Found) bool { return f.Bad(strict) })
}

// Bad is like that of a report, for one interruption.
func (f *Found) Bad(strict bool) bool {
	class := f.Class()
	return class == Unplanned || class == Never || strict && class == Unnamed
}

// Repeat returns the command that repeats one interruption.
func (r *Report) Repeat(i Interruption) string {
	words := slices.Concat([]string{"tunnel-testserver", "explore"}, r.Flags, []string{"-only", i.String(), "--"}, r.Command)
	for n, word := range words {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,") != "" {
			words[n] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// JSON returns a report for programs.
func (r *Report) JSON() map[string]any {
	count, all := map[Class]int{}, []map[string]any{}
	for _, f := range r.Found {
		count[f.Class()]++
		best := &Recovery{}
		if f.Naive != nil {
			best = f.best()
		}
		one := map[string]any{
			"request": f.At.String(), "interruption": f.Kind, "class": f.Class(), "resources": f.Resources(), "torn_state": f.TornState,
			"applies": best.Applies, // until the plan was empty
			"imports": append([]Import{}, best.Imports...), "left": append([]Object{}, best.Left...),
			"unplanned": append([]string{}, best.Unplanned...), "missing": append([]string{}, f.Missing...), "repeat": r.Repeat(f.Interruption),
		}
		if best.Failure != "" {
			one["failure"] = best.Failure
		}
		all = append(all, one)
	}
	return map[string]any{
		"command": r.Command, "changes": r.Changes, "requests": r.Requests, "total": r.Total, "seconds": r.Duration.Seconds(),
		"classes": count, "interruptions": all,
	}
}

// WriteText writes a report for people.
func (r *Report) WriteText(out io.Writer) error {
	var b strings.Builder
	if r.Changes == 0 {
		_, err := io.WriteString(out, "Nothing was explored, because the plan has no changes.\n")
		return err
	}
	fmt.Fprintf(&b, "%d interruptions of an apply with %d changes and %d requests:\n", len(r.Found), r.Changes, r.Requests)
	for _, c := range classes {
		found := slices.DeleteFunc(slices.Clone(r.Found), func(f Found) bool { return f.Class() != c.class })
		if len(found) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%5d %s\n", len(found), c.text)
		if c.class != Again && c.class != Harmless {
			r.writeResources(&b, found)
		}
	}
	r.writeMissing(&b)
	torn := slices.DeleteFunc(slices.Clone(r.Found), func(f Found) bool { return !f.TornState })
	if len(torn) > 0 {
		fmt.Fprintf(&b, "\n%d left a local state that is empty or cut off. The backup was copied over it first.\n", len(torn))
	}
	if len(r.Found) < r.Total {
		fmt.Fprintf(&b, "\nThe exploration was interrupted: %d of %d interruptions were tried.\n", len(r.Found), r.Total)
	}
	fmt.Fprintf(&b, "\n%d interruptions in %s, %.0f per minute.\n", len(r.Found), r.Duration.Round(time.Second),
		float64(len(r.Found))/max(r.Duration.Minutes(), 1e-9))
	_, err := io.WriteString(out, b.String())
	return err
}

// writeResources writes a line for each resource, and a command for it.
func (r *Report) writeResources(b *strings.Builder, found []Found) {
	byResource := map[string][]Found{}
	for _, f := range found {
		for _, resource := range f.Resources() {
			byResource[resource] = append(byResource[resource], f)
		}
	}
	for _, resource := range slices.Sorted(maps.Keys(byResource)) {
		here := byResource[resource]
		var kinds, details []string
		duplicates := 0
		for _, f := range here {
			kinds = append(kinds, string(f.Kind))
			details = append(details, f.details()...)
			if f.Class() == Imported && f.Naive.Converged {
				duplicates++
			}
		}
		slices.Sort(kinds)
		slices.Sort(details)
		fmt.Fprintf(b, "      %s: %s\n", resource, strings.Join(slices.Compact(kinds), ", "))
		for _, detail := range slices.Compact(details) {
			fmt.Fprintf(b, "        %s\n", detail)
		}
		if duplicates > 0 {
			fmt.Fprintf(b, "        without the import, applying again leaves a second object (%d of %d)\n", duplicates, len(here))
		}
		example := here[max(0, slices.IndexFunc(here, func(f Found) bool { return f.At.About == resource }))]
		fmt.Fprintf(b, "        %s\n", r.Repeat(example.Interruption))
	}
}

// details returns what a reader needs besides the resource.
func (f *Found) details() []string {
	var all []string
	switch f.Class() {
	case Unplanned:
		all = slices.Clone(f.Naive.Unplanned)
		if f.Advised != nil {
			all = append(all, f.Advised.Unplanned...)
		}
	case Never:
		all = append(all, cmp.Or(f.best().Failure, "each plan has changes"))
	default:
	}
	return all
}

// writeMissing writes what was missing until the next apply.
func (r *Report) writeMissing(b *strings.Builder) {
	times := map[string]int{}
	example := map[string]Interruption{}
	for _, f := range r.Found {
		for _, missing := range f.Missing {
			if times[missing]++; times[missing] == 1 {
				example[missing] = f.Interruption
			}
		}
	}
	if len(times) == 0 {
		return
	}
	b.WriteString("\nUntil the next apply:\n")
	for _, missing := range slices.Sorted(maps.Keys(times)) {
		fmt.Fprintf(b, "%5d %s\n        %s\n", times[missing], missing, r.Repeat(example[missing]))
	}
}
