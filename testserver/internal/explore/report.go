package explore

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
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
	Named     bool     `json:"-"`                 // errors name all of these
	Twice     []Object `json:"twice,omitempty"`   // that only a second pipeline has in its state
	Undone    string   `json:"undone,omitempty"`  // edit of somebody else that no plan says to change
	Wrong     string   `json:"wrong,omitempty"`   // error that blames the provider
	Unplanned []string `json:"unplanned,omitempty"`
	Failure   string   `json:"failure,omitempty"` // the last error, if it never converged

	Class     Class    `json:"class"` // these follow from the others
	Resources []string `json:"resources"`
	Repeat    string   `json:"repeat"`
}

// Class says how an interruption ends.
type Class string

// The classes of interruptions, from the worst to the best.
const (
	Unplanned  Class = "unplanned"
	Never      Class = "never"
	Wrong      Class = "wrong"
	Left       Class = "left"
	Named      Class = "named"
	Twice      Class = "twice"
	Undone     Class = "undone"
	Imported   Class = "import"
	Again      Class = "again"
	Harmless   Class = "none"
	NotReached Class = "not reached"
)

// classes are the classes in the order of a report, what they say of interruptions, and
// what to do about them.
var classes = []struct {
	class        Class
	text, advice string
}{
	{Unplanned, "change or delete something that the plan or an undisturbed run does not", "report it with the command"},
	{Never, "never converge, however often it runs again", "do what the error says"},
	{Wrong, "end with an error that blames the provider", "run again, and report it with the command"},
	{Left, "leave an object that no state holds", "look for it before you run again, and import it"},
	{Named, "leave an object that no state holds, and an error names it", "import or delete it as the error says"},
	{Twice, "make an object twice, because two pipelines do", "use a backend that locks the state"},
	{Undone, "undo what somebody else has edited, and no plan says so", "edit only with Terraform, or plan again just before the apply"},
	{Imported, "end with an error that names an import; after it and another run, all is as planned", "run the import that the error shows"},
	{Again, "end with an error or a kill; run again, and all is as planned", "run again"},
	{Harmless, "do not matter: the run ends as planned", ""},
	{NotReached, "did not happen: the request did not come in this run, or the service refuses what somebody else does", ""},
}

// errors says what the errors of all runs say.
func (f *Found) errors(all []copy.Diagnostic) {
	f.Named = true
	for _, object := range f.Left {
		f.Named = f.Named && slices.ContainsFunc(all, func(e copy.Diagnostic) bool { return strings.Contains(e.Text(), object.ID) })
	}
	for _, e := range all {
		if strings.Contains(strings.Join(strings.Fields(e.Text()), " "), "bug in the provider") {
			f.Wrong = e.Summary
		}
	}
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
	case f.Wrong != "":
		return Wrong
	case len(f.Left) > 0 && f.Named:
		return Named
	case len(f.Left) > 0:
		return Left
	case len(f.Twice) > 0:
		return Twice
	case f.Undone != "":
		return Undone
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
	for _, object := range slices.Concat(f.Left, f.Twice) {
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
	traffic.Baseline
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

// key names what an interruption leads to, the same in each run.
func (f *Found) key() string {
	at := f.Interruption
	at.At.Times = 1 // equal requests come in any order
	return strings.Join(slices.Concat([]string{string(f.Class), at.String(), f.Undone}, f.Resources, f.Opened, f.Missing, f.Unplanned), ", ")
}

// Without leaves out what an earlier report has, by its keys.
func (r *Report) Without(keys []string) {
	r.Found = slices.DeleteFunc(r.Found, func(f Found) bool {
		known := f.Class != Harmless && f.Class != NotReached && r.Has(f.key(), keys)
		if known {
			r.Classes[f.Class]--
		}
		return known
	})
}

// Bad reports whether something unplanned has changed, an apply never converges or blames
// the provider or, if strict, an object is left.
func (r *Report) Bad(strict bool) bool {
	return slices.ContainsFunc(r.Found, func(f Found) bool {
		return slices.Contains([]Class{Unplanned, Never, Wrong}, f.Class) || strict && f.Class == Left
	})
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
	fmt.Fprintf(&b, "%s of a run with %s and %s:\n", problem.Count(len(r.Found), "interruption"),
		problem.Count(r.Changes, "change"), problem.Count(r.Requests, "request"))
	for _, c := range classes {
		if r.Classes[c.class] == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%5d %s\n", r.Classes[c.class], c.text)
		if c.advice != "" && c.class != Again {
			r.list(&b, func(f Found) []string {
				if f.Class != c.class {
					return nil
				}
				return f.Resources
			})
		}
		if c.advice != "" {
			fmt.Fprintf(&b, "      What to do: %s.\n", c.advice)
		}
	}
	until := func(heading, advice string, names func(Found) []string) {
		var lines strings.Builder
		if r.list(&lines, names); lines.Len() > 0 {
			b.WriteString("\n" + heading + ":\n" + lines.String() + "      What to do: " + advice + ".\n")
		}
	}
	until("Open to clients until the next run", "add what keeps clients out to depends_on of the backend",
		func(f Found) []string { return f.Opened })
	until("Until the next run", "add create_before_destroy", func(f Found) []string { return f.Missing })
	torn := slices.DeleteFunc(slices.Clone(r.Found), func(f Found) bool { return !f.TornState })
	if len(torn) > 0 {
		fmt.Fprintf(&b, "\n%d left a local state that is empty or cut off. The backup was copied over it first.\n", len(torn))
	}
	if r.Known > 0 {
		fmt.Fprintf(&b, "\n%d others are as in the baseline.\n", r.Known)
	}
	tried := len(r.Found) + r.Known
	if tried < r.Total {
		fmt.Fprintf(&b, "\nThe exploration was interrupted: %d of %d interruptions were tried.\n", tried, r.Total)
	}
	fmt.Fprintf(&b, "\n%s in %s, %.0f per minute.\n", problem.Count(tried, "interruption"), r.Duration.Round(time.Second),
		float64(tried)/max(r.Duration.Minutes(), 1e-9))
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
			details = append(details, f.Undone, f.Wrong)
		}
		slices.Sort(kinds)
		details = slices.DeleteFunc(details, func(text string) bool { return text == "" })
		slices.Sort(details)
		fmt.Fprintf(b, "      %s: %s\n", name, strings.Join(slices.Compact(kinds), ", "))
		for _, detail := range slices.Compact(details) {
			fmt.Fprintf(b, "        %s\n", detail)
		}
		example := by[name][max(0, slices.IndexFunc(by[name], func(f Found) bool { return f.At.About == name }))]
		fmt.Fprintf(b, "        %s\n", example.Repeat)
	}
}
