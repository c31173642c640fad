package conformance

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// One decision of a service can make many rules differ: another status for all
// refusals, a member in another form, a text that is never stored. At the end, the
// differences with the same cause become one result, and the other rules are judged
// without it.

// cause is what a difference is about.
type cause struct {
	what, how string
	status    Status
}

// minRules is how many rules must differ to be one result.
const minRules = 3

// about says what differs, and how, independent of the request: all that differs in the
// same way has one cause.
func (d *difference) about(what, how string) *difference {
	d.what, d.how = what, how
	return d
}

// all returns the parts of a difference. It returns nil for nil.
func (d *difference) all() []*difference {
	if d == nil {
		return nil
	}
	return append([]*difference{d}, d.more...)
}

// join returns one difference with all parts, the most serious first, or nil.
func join(differences ...*difference) *difference {
	var parts []*difference
	for _, d := range differences {
		parts = append(parts, d.all()...)
	}
	if len(parts) == 0 {
		return nil
	}
	slices.SortStableFunc(parts, func(a, b *difference) int { return cmp.Compare(a.rank(), b.rank()) })
	for _, part := range parts {
		part.more = nil
	}
	parts[0].more = parts[1:]
	return parts[0]
}

func (d *difference) rank() int {
	if d.status == Differs {
		return 0
	}
	return 1
}

// without returns the parts that are not about what another difference is about.
func (d *difference) without(other *difference) *difference {
	return join(slices.DeleteFunc(d.all(), func(part *difference) bool {
		return slices.ContainsFunc(other.all(), func(o *difference) bool { return o.what != "" && subject(o.what) == subject(part.what) })
	})...)
}

// formOf begins what a difference is about that makes a body violate its schema. Other
// differences of the same member follow from it.
const (
	formOf    = "form of "
	byDefault = " by default"
)

// subject returns the member that a difference is about.
func subject(what string) string {
	return strings.TrimPrefix(strings.TrimSuffix(what, byDefault), formOf)
}

// rootOf returns the path of the collection to which a route belongs.
func rootOf(route string) string {
	root, _, _ := strings.Cut(route, "/{")
	return root
}

// mergeCauses makes one result of the differences with the same cause.
func (run *Run) mergeCauses() {
	groups := map[cause][]int{}
	for i, result := range run.Results {
		for _, part := range result.parts {
			if c := part.cause(); part.what != "" && !slices.Contains(groups[c], i) {
				groups[c] = append(groups[c], i)
			}
		}
	}
	for _, c := range slices.SortedFunc(maps.Keys(groups), func(a, b cause) int {
		return cmp.Or(cmp.Compare(groups[a][0], groups[b][0]), strings.Compare(a.what, b.what), strings.Compare(a.how, b.how))
	}) {
		if len(groups[c]) >= minRules {
			run.merge(c, groups[c])
		}
	}
}

func (d *difference) cause() cause { return cause{d.what, d.how, d.status} }

// merge moves a cause from its results to one of its own.
func (run *Run) merge(c cause, results []int) {
	results = slices.DeleteFunc(results, func(i int) bool { // another cause may have explained it
		return !slices.ContainsFunc(run.Results[i].parts, func(part *difference) bool { return part.cause() == c })
	})
	if len(results) == 0 {
		return
	}
	var first *difference
	where, routes := run.Results[results[0]].v, map[string]bool{}
	name := strings.TrimSpace(c.what)
	for i := range run.Results {
		r := &run.Results[i]
		before, hidden := len(r.parts), false
		r.parts = slices.DeleteFunc(slices.Clone(r.parts), func(part *difference) bool {
			if part.cause() == c {
				first, hidden = cmp.Or(first, part), hidden || part.hides
				return true
			}
			return c.explains(part)
		})
		switch {
		case len(r.parts) == before:
			continue
		case len(r.parts) > 0:
			r.show(r.parts[0])
		case hidden:
			*r = Result{Method: r.Method, Route: r.Route, Rule: r.Rule, Status: NotTried, Source: r.Source, v: r.v,
				Why: "one cause hides it: " + name + ", found " + first.found}
		default:
			r.Status, r.Expected, r.Found, r.Request, r.Accepted = Agrees, "", "", "", false
		}
		routes[r.Route] = true
	}
	v := testCase{name: name, route: everyRoute, status: where.status, kept: where.kept}
	if len(routes) == 1 {
		v.route = where.route
	}
	merged := Result{
		Status: first.status, Expected: first.expected, Found: first.found, Source: run.source(where), Request: run.curl(where),
		Times: len(results), First: where.method + " " + where.route,
	}
	for _, i := range results {
		merged.Rules = append(merged.Rules, run.Results[i].Name())
		if run.Results[i].Source == Contract {
			merged.Source = Contract
		}
	}
	run.report(v, merged)
}

// explains reports whether a difference follows from a cause: a member that has another
// form, or is not stored, is not that of the request, and is not cleared.
func (c cause) explains(other *difference) bool {
	isForm := strings.HasPrefix(c.what, formOf) && !strings.HasPrefix(other.what, formOf)
	return subject(c.what) == subject(other.what) && (isForm || c.how == "" && c.status == Differs && other.status == Otherwise)
}
