package calendar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
)

// world is an account whose plans replace what is due, and warn of what ends in ten days.
type world struct {
	now     time.Time
	objects []Object
	failure string // of every plan
	broken  string // of every apply
	plans   []time.Time
}

func (w *world) SetClock(now time.Time) error {
	if now.Before(w.now) {
		return errors.New("backwards")
	}
	w.now = now
	for i, o := range w.objects {
		if !o.Renews.IsZero() && !now.Before(o.Renews) {
			w.objects[i] = renewed(o, now)
		}
	}
	return nil
}

func renewed(o Object, now time.Time) Object {
	ahead, lifetime := o.End.Sub(o.Renews), o.End.Sub(o.Begin)
	o.ID, o.Begin, o.End = o.ID+"+", now, now.Add(lifetime)
	if !o.Renews.IsZero() {
		o.Renews = o.End.Add(-ahead)
	}
	return o
}

func (w *world) Objects() []Object { return slices.Clone(w.objects) }

func (w *world) due(o Object) bool { return o.Early >= 0 && !w.now.Before(o.End.Add(-o.Early)) }

func (w *world) Plan(context.Context) (*copy.Ran, error) {
	w.plans = append(w.plans, w.now)
	plan := &copy.Ran{Failure: w.failure}
	for _, o := range w.objects {
		switch {
		case w.due(o):
			plan.Planned = append(plan.Planned, copy.Change{Address: o.Address, Action: "replace"})
		case o.Early < 0 && !w.now.Before(o.End.Add(-10*day)):
			plan.Warnings = append(plan.Warnings, copy.Diagnostic{Address: o.Address, Summary: fmt.Sprintf("%s ends, expired: %t", o.ID, o.expired(w.now))})
		}
	}
	return plan, nil
}

func (w *world) Apply(context.Context) (*copy.Ran, error) {
	for i, o := range w.objects {
		if w.due(o) && w.broken == "" {
			w.objects[i] = renewed(o, w.now)
		}
	}
	return &copy.Ran{Failure: w.broken}, nil
}

func at(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04:05", text)
	if err != nil {
		panic(err)
	}
	return t
}

// host returns an object that plans renew early before its end.
func host(name, begin, end string, early time.Duration) Object {
	return Object{ID: name, Address: "host." + name, Name: name, Begin: at(begin), End: at(end), Early: early, Served: true}
}

// inTheMorning is a time of a run.
var inTheMorning = regexp.MustCompile(` 06:00:..`)

// lines makes a calendar and returns its lines without the address.
func lines(t *testing.T, w *world, from string, days int, pipeline string) (got []string, made *Calendar) {
	t.Helper()
	p, err := ParsePipeline(pipeline)
	if err != nil {
		t.Fatal(err)
	}
	made, err = Make(t.Context(), Settings{From: at(from), Days: days, Pipeline: p, Warning: 10 * day, Messages: io.Discard}, w)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range made.Entries {
		if !slices.ContainsFunc(w.plans, func(plan time.Time) bool { return e.At.Sub(plan).Abs() <= time.Second }) {
			t.Errorf("no plan was made at %s, the time of %+v", e.At, e)
		}
		line := fmt.Sprintf("%s %s %s", inTheMorning.ReplaceAllString(e.At.Format("2006-01-02 15:04:05"), " 06:00"), e.Kind, e.line(made))
		got = append(got, line)
	}
	return got, made
}

func TestCalendar_lines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		from, pipeline string
		days           int
		world          *world
		want           []string
	}{
		"renewed in the morning": {
			"2027-01-01 12:00:00", "daily", 368,
			&world{objects: []Object{host("a", "2027-01-01 12:00:00", "2027-06-01 12:00:00", 30*day)}},
			[]string{"2027-05-03 06:00 applied the pipeline replaces it; valid until 2027-10-01", "2027-09-02 06:00 applied the pipeline replaces it; valid until 2028-01-31", "2028-01-02 06:00 applied the pipeline replaces it; valid until 2028-06-01"},
		},
		"no early renewal, end in the night": {
			"2027-01-01 06:00:00", "daily", 200,
			&world{objects: []Object{host("a", "2027-01-01 06:00:00", "2027-06-01 05:00:00", 0)}},
			[]string{"2027-06-01 05:00:01 expired a expired on 2027-06-01 05:00; served expired for 1 hour, until 2027-06-01 06:00", "2027-06-01 06:00 applied the pipeline replaces it; valid until 2027-10-30"},
		},
		"on merge": {
			"2027-01-01 12:00:00", "on merge: 2027-06-13, 2026-01-01", 200,
			&world{objects: []Object{host("db1", "2027-01-01 00:00:00", "2027-06-01 06:00:00", 10*day)}},
			[]string{"2027-05-22 06:00 waits the plan replaces it; the pipeline runs next on 2027-06-13", "2027-06-01 06:00 expired db1 expired on 2027-06-01 06:00; served expired for 12 days, until 2027-06-13 06:00", "2027-06-13 06:00 applied the pipeline replaces it; valid until 2027-11-11"},
		},
		"nobody renews": {
			"2027-05-01 12:00:00", "daily", 40,
			&world{objects: []Object{host("a", "2027-01-01 00:00:00", "2027-06-01 06:00:00", -1)}},
			[]string{"2027-05-22 06:00 warns a ends, expired: false", "2027-06-01 06:00 expired a expired on 2027-06-01 06:00; served expired for 9 days, until the end of the calendar"},
		},
		"expired before the start": {
			"2027-07-01 12:00:00", "daily", 10,
			&world{objects: []Object{host("a", "2027-01-01 00:00:00", "2027-06-01 06:00:00", 10*day)}},
			[]string{"2027-07-01 12:00:00 expired a expired on 2027-06-01 06:00, before the calendar; served expired for 18 hours, until 2027-07-02 06:00", "2027-07-02 06:00 applied the pipeline replaces it; valid until 2027-11-30"},
		},
		"nothing serves it": {
			"2027-07-01 12:00:00", "daily", 10,
			&world{objects: []Object{
				{ID: "old", Name: "not in the state", End: at("2020-01-01 00:00:00"), Early: -1},
				{ID: "a", Address: "tls.a", Name: "a", Begin: at("2027-01-01 00:00:00"), End: at("2027-07-03 06:00:00"), Early: -1},
			}},
			[]string{"2027-07-01 12:00:00 warns old ends, expired: true", "2027-07-01 12:00:00 warns a ends, expired: false", "2027-07-03 06:00 expired a expired on 2027-07-03 06:00; nothing serves it"},
		},
		"renewed by the service": {
			"2027-01-01 12:00:00", "daily", 100,
			&world{objects: []Object{{ID: "m", Address: "domain.m", Name: "managed certificate of m", Begin: at("2027-01-01 00:00:00"), End: at("2027-04-01 00:00:00"), Early: -1, Renews: at("2027-03-02 00:00:00"), Served: true}}},
			[]string{"2027-03-02 06:00 renewed the service has renewed the managed certificate of m; valid until 2027-05-31"},
		},
		"plan fails": {
			"2027-01-01 12:00:00", "daily", 100,
			&world{failure: "no chain", objects: []Object{host("a", "2027-01-01 00:00:00", "2027-03-01 00:00:00", day)}},
			[]string{"2027-01-01 12:00:00 failed the plan fails: no chain", "2027-03-01 00:00:01 expired a expired on 2027-03-01 00:00; served expired for 42 days, until the end of the calendar"},
		},
		"nothing": {"2027-01-01 12:00:00", "daily", 100, &world{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := lines(t, test.world, test.from, test.days, test.pipeline)
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// A year of a certificate needs a few plans: not 365.
func TestCalendar_plansWhenSomethingCanChange(t *testing.T) {
	t.Parallel()
	w := &world{objects: []Object{
		host("a", "2027-01-01 12:00:00", "2028-01-01 12:00:00", 30*day),
		{ID: "nobody gets it", Begin: at("2027-01-01 12:00:00"), End: at("2027-06-01 12:00:00"), Early: -1},
	}}
	_, made := lines(t, w, "2027-01-01 12:00:00", 400, "daily")
	want := []time.Time{at("2027-01-01 12:00:00"), at("2027-12-03 06:00:00"), at("2027-12-04 06:00:00")}
	if !slices.EqualFunc(w.plans, want, time.Time.Equal) || made.Plans != 3 || made.Applies != 1 {
		t.Errorf("%d plans and %d applies, at %s; want plans at %s", made.Plans, made.Applies, w.plans, want)
	}
}

// TestCalendar_margins names the objects whose renewal cannot wait for another run.
func TestCalendar_margins(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		days, early int
		pipeline    string
		want        string
	}{
		"at the end":           {7, 0, "weekly", "host.a: renewed 0 seconds before its end, while the pipeline runs every 7 days: it expires if one run is late or fails"},
		"two runs":             {21, 7, "weekly", "host.a: renewed 7 days before its end, while the pipeline runs every 7 days: it expires if one run is late or fails"},
		"time for another run": {21, 14, "weekly", ""},
		"no interval":          {7, 0, "on merge: 2027-01-04", ""},
		"daily":                {64, 21, "daily", ""},
	} {
		w := &world{objects: []Object{host("a", "2027-01-01 12:00:00", "2027-01-01 12:00:00", time.Duration(test.early)*day)}}
		w.objects[0].End = w.objects[0].Begin.Add(time.Duration(test.days) * day)
		if _, made := lines(t, w, "2027-01-01 12:00:00", 1, test.pipeline); strings.Join(made.Notes, "\n") != test.want {
			t.Errorf("%s: got %q, want %q", name, made.Notes, test.want)
		}
	}
}

func TestPipeline_runsInTheMorning(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ pipeline, after, want string }{
		{"daily", "2027-03-27 05:59:59", "2027-03-27 06:00:00"},
		{"daily", "2027-03-27 06:00:00", "2027-03-28 06:00:00"},
		{"daily", "2028-02-28 06:00:59", "2028-02-29 06:00:00"},
		{"daily", "2027-12-31 23:00:00", "2028-01-01 06:00:00"},
		{"weekly", "2027-03-22 05:00:00", "2027-03-22 06:00:00"}, // a Monday
		{"weekly", "2027-03-22 06:00:59", "2027-03-29 06:00:00"}, // daylight saving begins in between
		{"on merge: 2027-10-31,2027-03-28", "2027-01-01 00:00:59", "2027-03-28 06:00:00"},
		{"on merge: 2027-03-28, 2027-10-31", "2027-03-28 06:00:59", "2027-10-31 06:00:00"},
		{"on merge: 2027-03-28", "2027-03-28 06:00:59", ""},
	} {
		p, err := ParsePipeline(test.pipeline)
		if err != nil {
			t.Fatal(err)
		}
		next, ok := p.Next(at(test.after))
		if ok != (test.want != "") || ok && (!next.Equal(at(test.want)) || !p.Runs(next)) {
			t.Errorf("%s after %s: %s, want %s", test.pipeline, test.after, next, test.want)
		}
		if p.Runs(at(test.after).Add(time.Minute)) {
			t.Errorf("%s runs a minute after %s", test.pipeline, test.after)
		}
	}
	for _, wrong := range []string{"", "every day", "on merge", "on merge: tomorrow", "on merge: 2027-02-29", "weekly: 2027-01-01"} {
		if _, err := ParsePipeline(wrong); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
}
