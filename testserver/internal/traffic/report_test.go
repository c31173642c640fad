package traffic

import "testing"

// TestReport_baseline opens a backend to strangers, and then another one: what an earlier
// report has is left out, and only that.
func TestReport_baseline(t *testing.T) {
	t.Parallel()
	report := func(backend string) *Report {
		cause := []Change{{Verb: "creation"}}
		refused, reached := Decision{Answer: "404: no backend"}, Decision{Answer: "tunnel " + backend, Reaches: true}
		r := &Report{}
		r.Add([]Timeline{{
			Before: refused, After: refused,
			Between: []State{{Decision: reached, For: 1, Cause: cause}, {Decision: refused, Cause: cause}},
		}}, func(Change) string { return "" })
		return r
	}
	earlier := report("app=shop")
	earlier.Without(nil)
	for backend, known := range map[string]int{"app=shop": 1, "app=secret": 0} {
		if r := report(backend); !r.Bad() {
			t.Errorf("%s: nothing is opened: %+v", backend, r)
		} else if r.Without(earlier.Keys); r.Known != known || r.Bad() == (known == 1) {
			t.Errorf("%s: %d known, %+v", backend, r.Known, r)
		}
	}
}
