package calendar

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	day  = 24 * time.Hour
	hour = 6 // of the day at which a pipeline runs, in UTC
	// jitter is how much later than that a pipeline runs at most, as a real one does. At
	// the same second of each day, a certificate would never become due between two runs.
	jitter = time.Minute
)

// Pipeline says when a pipeline plans and applies.
type Pipeline struct {
	text   string
	every  int         // days between two runs; 0 if it runs on merge only
	merges []time.Time // sorted
}

// ParsePipeline parses "every day", "weekly" or "on merge: DATES", with dates such as
// 2027-03-14 that are separated by commas. A pipeline runs at 06:00 UTC, a weekly one on
// Mondays. There can be no dates.
func ParsePipeline(text string) (Pipeline, error) {
	p := Pipeline{text: text}
	dates, merge := strings.CutPrefix(text, "on merge")
	switch {
	case text == "every day":
		p.every = 1
	case text == "weekly":
		p.every = 7
	case merge:
		dates = strings.TrimPrefix(dates, ":")
		for date := range strings.FieldsFuncSeq(dates, func(r rune) bool { return r == ',' || r == ' ' }) {
			at, err := time.Parse(time.DateOnly, date)
			if err != nil {
				return p, fmt.Errorf("expected dates such as 2027-03-14 after on merge, found %q", date)
			}
			p.merges = append(p.merges, morning(at))
		}
		slices.SortFunc(p.merges, time.Time.Compare)
	default:
		return p, fmt.Errorf("expected \"every day\", \"weekly\" or \"on merge: 2027-03-14, 2027-09-01\", found %q", text)
	}
	return p, nil
}

func (p Pipeline) String() string { return p.text }

// Runs reports whether the pipeline runs at a time.
func (p Pipeline) Runs(at time.Time) bool {
	next, ok := p.Next(at.Add(-1))
	return ok && next.Equal(at)
}

// RunsUntil reports whether the pipeline runs between two times, or was given no dates.
func (p Pipeline) RunsUntil(from, until time.Time) bool {
	next, ok := p.Next(from)
	return ok && !next.After(until) || p.every == 0 && len(p.merges) == 0 || p.every > 0
}

// Next returns the first run after a time, or false if there is none.
func (p Pipeline) Next(after time.Time) (time.Time, bool) {
	if p.every == 0 {
		i := slices.IndexFunc(p.merges, func(merge time.Time) bool { return merge.After(after) })
		if i < 0 {
			return time.Time{}, false
		}
		return p.merges[i], true
	}
	next := morning(after.Add(1))
	for p.every == 7 && next.Weekday() != time.Monday {
		next = morning(next.Add(1))
	}
	return next, true
}

// morning returns the first time at or after at when a daily pipeline runs.
func morning(at time.Time) time.Time {
	for start := at.UTC().Truncate(day); ; start = start.Add(day) {
		late := time.Duration(start.Unix()/int64(day/time.Second)*23%60) * time.Second // sometimes sooner than on the day before
		if run := start.Add(hour*time.Hour + late); !run.Before(at) {
			return run
		}
	}
}
