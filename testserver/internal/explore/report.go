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

// Found is what an interruption has led to.
type Found struct {
	Interruption
	Reached   bool     `json:"-"`                 // the request came
	Succeeded bool     `json:"-"`                 // the interrupted apply ended without an error
	TornState bool     `json:"torn_state"`        // it left an empty state or half a state, which was replaced by its backup
	Opened    []string `json:"opened,omitempty"`  // to clients, until the next apply
	Missing   []string `json:"missing,omitempty"` // until the next apply

	Converged bool     `json:"-"`                 // the last plan is empty
	Applies   int      `json:"applies"`           // until then
	Imports   []Import `json:"imports,omitempty"` // that the errors advised
	Left      []Object `json:"left,omitempty"`    // that no state holds
	Unplanned []string `json:"unplanned,omitempty"`
	Failure   string   `json:"failure,omitempty"` // the last error, if it never converged

	Class     Class    `json:"class"` // these follow from the others
	Resources []string `json:"resources"`
	Repeat    string   `json:"repeat"`
}

// Class says how an interruption ends.
type Class string

// The classes of interruptions, from the worst to the f.
const (
	Unplanned  Class = "unplanned"
	Never      Class = "never"
	Left       Class = "left"
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
	{Unplanned, "change or delete something that the plan or an undisturbed run does not"},
	{Never, "never converge, however often it runs again"},
	{Left, "leave an object that no state holds"},
	{Imported, "end with an error that names an import; after it and another run, all is as planned"},
	{Again, "end with an error or a kill; run again, and all is as planned"},
	{Harmless, "do not matter: the run ends as planned"},
	{NotReached, "did not happen: the request did not come in this run"},
}

// Bad reports whether something unplanned has changed or an apply never converges or, if
// strict, an object is left.
func (c Class) Bad(strict bool) bool {
	return c == Unplanned || c == Never || strict && c == Left
}

// class returns the class of the interruption. Each has one.
func (f *Found) class() Class {
	switch {
	case !f.Reached:
		return NotReached
	case len(f.Unplanned) > 0:
		return Unplanned
	case !f.Converged:
		return Never
	case len(f.Left) > 0:
		return Left
	case len(f.Imports) > 0:
		return Imported
	case f.Succeeded && f.Applies == 0:
		return Harmless
	default:
		return Again
	}
}

// resources returns the addresses of the resources that have to be looked at: those of
// the objects that are left or imported, or of the interrupted request.
func (f *Found) resources() []string {
	var all []string
	for _, object := range f.Left {
		all = append(all, object.Address)
	}
	if f.Class == Imported {
		for _, imported := range f.Imports {
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
	Command  []string      `json:"command"`  // what was explored, such as terraform apply
	Flags    []string      `json:"-"`        // that repeat it on the same account
	Changes  int           `json:"changes"`  // of resources, in the plan
	Requests int           `json:"requests"` // of the undisturbed apply; 0 if nothing was explored
	Total    int           `json:"total"`    // number of interruptions
	Classes  map[Class]int `json:"classes"`
	Found    []Found       `json:"interruptions"` // fewer than Total if it was interrupted itself
	Duration time.Duration `json:"-"`
}

func (r *Report) add(f Found) {
	f.Class = f.class()
	f.Resources, f.Repeat = f.resources(), r.repeat(f.Interruption)
	r.Found = append(r.Found, f)
	r.Classes[f.Class]++
}

// Bad reports whether an interruption is bad.
func (r *Report) Bad(strict bool) bool {
	return slices.ContainsFunc(r.Found, func(f Found) bool { return f.Class.Bad(strict) })
}

// repeat returns the command that repeats one interruption.
func (r *Report) repeat(i Interruption) string {
	words := slices.Concat([]string{"tunnel-testserver", "explore"}, r.Flags, []string{"-only", i.String(), "--"}, r.Command)
	for n, word := range words {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,") != "" {
			words[n] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// WriteText writes a report for people.
func (r *Report) WriteText(out io.Writer) error {
	var b strings.Builder
	if r.Requests == 0 {
		_, err := io.WriteString(out, "Nothing was explored, because the plan has no changes.\n")
		return err
	}
	fmt.Fprintf(&b, "%d interruptions of a run with %d changes and %d requests:\n", len(r.Found), r.Changes, r.Requests)
	for _, c := range classes {
		if r.Classes[c.class] == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%5d %s\n", r.Classes[c.class], c.text)
		if c.class != Again && c.class != Harmless {
			r.list(&b, func(f Found) []string {
				if f.Class != c.class {
					return nil
				}
				return f.Resources
			})
		}
	}
	until := func(heading string, names func(Found) []string) {
		var lines strings.Builder
		if r.list(&lines, names); lines.Len() > 0 {
			b.WriteString("\n" + heading + ":\n" + lines.String())
		}
	}
	until("Open to clients until the next run", func(f Found) []string { return f.Opened })
	until("Until the next run", func(f Found) []string { return f.Missing })
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

// list writes a line for each name that interruptions have, and a command for it.
func (r *Report) list(b *strings.Builder, names func(Found) []string) {
	by := map[string][]Found{}
	for _, f := range r.Found {
		for _, name := range names(f) {
			by[name] = append(by[name], f)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		var kinds, details []string
		for _, f := range by[name] {
			kinds, details = append(kinds, string(f.Kind)), append(details, f.Unplanned...)
			if f.Class == Never {
				details = append(details, cmp.Or(f.Failure, "each plan has changes"))
			}
		}
		slices.Sort(kinds)
		slices.Sort(details)
		fmt.Fprintf(b, "      %s: %s\n", name, strings.Join(slices.Compact(kinds), ", "))
		for _, detail := range slices.Compact(details) {
			fmt.Fprintf(b, "        %s\n", detail)
		}
		example := by[name][max(0, slices.IndexFunc(by[name], func(f Found) bool { return f.At.About == name }))]
		fmt.Fprintf(b, "        %s\n", example.Repeat)
	}
}
