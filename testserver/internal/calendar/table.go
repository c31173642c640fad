package calendar

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Policy is what expires with a policy of renewal and a pipeline. Only what plans renew
// counts.
type Policy struct {
	RenewBefore int           `json:"renew_before_days"`
	Pipeline    string        `json:"pipeline"`
	Expired     int           `json:"expired"` // number of times that an object was served expired
	Longest     time.Duration `json:"-"`       // longest time that one was
	Hours       int           `json:"longest_hours"`
	Plans       int           `json:"plans"`
	Failure     string        `json:"failure,omitempty"` // why the policy is not possible
}

// Table compares policies of renewal.
type Table struct {
	From     time.Time `json:"from"`
	Days     int       `json:"days"`
	Policies []Policy  `json:"policies"`
}

// Policy sums up a calendar.
func (c *Calendar) Policy() Policy {
	p := Policy{Plans: c.Plans}
	for _, entry := range c.ServedExpired() {
		if !entry.Person {
			p.Expired++
			p.Longest = max(p.Longest, entry.Until.Sub(entry.Since))
		}
	}
	p.Hours = int(p.Longest / time.Hour)
	return p
}

// HasGood reports whether a policy leaves nothing expired.
func (t *Table) HasGood() bool { return slices.ContainsFunc(t.Policies, Policy.good) }

func (p Policy) good() bool { return p.Failure == "" && p.Expired == 0 }

// WriteText writes the table for people: a row for each policy, and a column for each
// pipeline.
func (t *Table) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "What SSH host certificates that plans renew do from %s, for %s:\n\n", minute(t.From), count(t.Days, "day"))
	var failures []string
	rows := [][]string{{"Renew before"}}
	for _, p := range t.Policies {
		if !slices.Contains(rows[0], p.Pipeline) {
			rows[0] = append(rows[0], p.Pipeline)
		}
		if name := count(p.RenewBefore, "day"); rows[len(rows)-1][0] != name {
			rows = append(rows, []string{name})
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], p.cell())
		if line := count(p.RenewBefore, "day") + ": " + p.Failure; p.Failure != "" && !slices.Contains(failures, line) {
			failures = append(failures, line)
		}
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	for _, row := range rows {
		for i, cell := range row {
			row[i] = fmt.Sprintf("%-*s", widths[i], cell)
		}
		fmt.Fprintln(out, strings.TrimRight(strings.Join(row, "  "), " "))
	}
	if len(failures) > 0 {
		fmt.Fprintf(out, "\nNot possible:\n  %s\n", strings.Join(failures, "\n  "))
	}
	return nil
}

func (p Policy) cell() string {
	switch {
	case p.Failure != "":
		return "not possible"
	case p.good():
		return "nothing expires"
	default:
		return fmt.Sprintf("%d expired, up to %s", p.Expired, length(p.Longest))
	}
}
