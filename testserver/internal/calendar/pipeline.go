package calendar

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

const day = 24 * time.Hour

// Pipeline says when a pipeline plans and applies.
type Pipeline struct {
	text   string
	every  int         // days between two runs; 0 if it runs on merge only
	merges []time.Time // sorted
}

// ParsePipeline parses "daily", "weekly" or "on merge: DATES", with dates such as
// 2027-03-14 that are separated by commas. A pipeline runs at 06:00 UTC, a weekly one on
// Mondays.
func ParsePipeline(text string) (Pipeline, error) {
	p := Pipeline{text: text, every: map[string]int{"daily": 1, "weekly": 7}[text]}
	if p.every > 0 {
		return p, nil
	}
	dates, merge := strings.CutPrefix(text, "on merge:")
	for date := range strings.SplitSeq(dates, ",") {
		at, err := time.Parse(time.DateOnly, strings.TrimSpace(date))
		if err != nil || !merge {
			return p, fmt.Errorf("expected daily, weekly or \"on merge: 2027-03-14, 2027-09-01\", found %q", text)
		}
		p.merges = append(p.merges, morning(at))
	}
	slices.SortFunc(p.merges, time.Time.Compare)
	return p, nil
}

// Runs reports whether the pipeline runs at a time.
func (p Pipeline) Runs(at time.Time) bool {
	next, ok := p.Next(at.Add(-1))
	return ok && next.Equal(at)
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
		next = next.Add(day)
	}
	return next, true
}

// morning returns the first time at or after at when a daily pipeline runs: at 6 in UTC.
func morning(at time.Time) time.Time {
	run := at.UTC().Truncate(day).Add(6 * time.Hour)
	if run.Before(at) {
		return run.Add(day)
	}
	return run
}
