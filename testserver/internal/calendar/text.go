package calendar

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// WriteText writes a calendar for people. Times are in UTC.
func (c *Calendar) WriteText(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "From %s to %s, %d objects that expire. Pipeline: %s at 06:00 UTC.\n\n",
		minute(c.From), minute(c.Until), c.Objects, c.Pipeline)
	tasks, served := map[string][]string{}, 0 // addresses, by what somebody has to do
	for _, e := range c.Entries {
		fmt.Fprintf(&b, "%s  %-8s %s\n", minute(e.At), e.Kind, strings.TrimPrefix(e.Address+": "+e.line(c), ": "))
		if e.Served {
			served++
		}
		if e.Person != "" && !slices.Contains(tasks[e.Person], e.Address) {
			tasks[e.Person] = append(tasks[e.Person], e.Address)
		}
	}
	if len(c.Entries) == 0 {
		b.WriteString("Nothing happens.\n")
	}
	fmt.Fprintf(&b, "\nServed expired: %s.\n", problem.Count(served, "object"))
	if len(tasks) > 0 {
		b.WriteString("\nNeeds a person:\n")
	}
	for _, task := range slices.Sorted(maps.Keys(tasks)) {
		fmt.Fprintf(&b, "  %s\n", strings.TrimSuffix(task+": "+strings.Join(tasks[task], ", "), ": "))
	}
	if len(c.Notes) > 0 {
		fmt.Fprintf(&b, "\nNot in any plan:\n  %s\n", strings.Join(c.Notes, "\n  "))
	}
	fmt.Fprintf(&b, "\n%s and %s in %s.\n",
		problem.Count(c.Plans, "plan"), problem.Count(c.Applies, "apply"), c.Duration.Round(time.Second/10))
	_, err := io.WriteString(out, b.String())
	return err
}

// line returns the text of an entry in a calendar.
func (e Entry) line(c *Calendar) string {
	if e.Kind != Expired {
		return e.Text
	}
	text := e.Text + " expired on " + minute(e.Since)
	begin := e.Since
	if begin.Before(c.From) {
		text, begin = text+", before the calendar", c.From
	}
	if !e.Served {
		return text + "; nothing serves it"
	}
	until := minute(e.Until)
	if e.Until.Equal(c.Until) {
		until = "the end of the calendar"
	}
	if text += "; served expired"; len(e.Hosts) > 0 {
		text += " to clients of " + strings.Join(e.Hosts, ", ")
	}
	return text + " for " + length(e.Until.Sub(begin)) + ", until " + until
}

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// length returns a duration in days, or if it is short, in hours or seconds.
func length(d time.Duration) string {
	switch {
	case d < time.Hour:
		return problem.Count(int(d/time.Second), "second")
	case d < 2*day:
		return problem.Count(int(d.Round(time.Hour)/time.Hour), "hour")
	default:
		return problem.Count(int(d.Round(day)/day), "day")
	}
}
