package calendar

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// WriteText writes a calendar for people. Times are in UTC.
func (c *Calendar) WriteText(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "From %s to %s, %d objects that expire. Pipeline: %s at 06:00 UTC", minute(c.From), minute(c.Until), c.Objects, c.Pipeline)
	if c.Gate != "" {
		fmt.Fprintf(&b, ", with the gate %s", c.Gate)
	}
	b.WriteString(".\n\n")
	for _, g := range groups(c.Entries) {
		fmt.Fprintf(&b, "%s  %-8s %s\n", minute(g[0].At), g[0].Kind, g.line(c.From))
	}
	if len(c.Entries) == 0 {
		b.WriteString("Nothing happens.\n")
	}
	c.writeSummary(&b)
	_, err := io.WriteString(out, b.String())
	return err
}

func (c *Calendar) writeSummary(b *strings.Builder) {
	fmt.Fprintf(b, "\nServed expired: %s.\n", count(len(c.ServedExpired()), "object"))
	var persons []string
	for _, g := range groups(c.Entries) {
		line := g.address() + g[0].Person
		if g[0].Person != "" && !slices.Contains(persons, line) {
			persons = append(persons, line)
		}
	}
	if len(persons) > 0 {
		fmt.Fprintf(b, "\nNeeds a person:\n  %s\n", strings.Join(persons, "\n  "))
	}
	if len(c.Notes) > 0 {
		fmt.Fprintf(b, "\nNot in any plan:\n  %s\n", strings.Join(c.Notes, "\n  "))
	}
	fmt.Fprintf(b, "\n%s and %s in %s.\n", count(c.Plans, "plan"), count(c.Applies, "apply"), c.Duration.Round(time.Second/10))
}

// group contains entries that differ only in the object: there is at least one.
type group []Entry

// groups returns entries in groups. The entries of a group follow each other.
func groups(entries []Entry) []group {
	var all []group
	for _, entry := range entries {
		if last := len(all) - 1; last >= 0 && all[last].has(entry) {
			all[last] = append(all[last], entry)
		} else {
			all = append(all, group{entry})
		}
	}
	return all
}

// has reports whether an entry belongs to the group.
func (g group) has(entry Entry) bool {
	first := g[0]
	if entry.Kind == Expired {
		first.Text, entry.Text = "", ""
		first.Since, entry.Since = first.Since.Truncate(time.Minute), entry.Since.Truncate(time.Minute)
	}
	entry.Address, entry.ID = first.Address, first.ID
	return entry == first && entry.Address != ""
}

// address returns the addresses of a group, and a colon if there are any.
func (g group) address() string {
	switch {
	case g[0].Address == "":
		return ""
	case len(g) > 1:
		return fmt.Sprintf("%s and %d more: ", g[0].Address, len(g)-1)
	default:
		return g[0].Address + ": "
	}
}

// line returns the text of a group in a calendar that begins at from.
func (g group) line(from time.Time) string {
	e := g[0]
	if e.Kind != Expired {
		return g.address() + e.Text
	}
	text := g.address()
	if len(g) == 1 {
		text += e.Text + " "
	}
	text += "expired on " + minute(e.Since)
	begin := e.Since
	if begin.Before(from) {
		text, begin = text+", before the calendar", from
	}
	switch {
	case !e.Served:
		return text + "; nothing serves it"
	case e.Open:
		return text + "; served expired for " + length(e.Until.Sub(begin)) + ", until the end of the calendar"
	default:
		return text + "; served expired for " + length(e.Until.Sub(begin)) + ", until " + minute(e.Until)
	}
}

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// length returns a duration in days, or if it is short, in hours or seconds.
func length(d time.Duration) string {
	switch {
	case d < time.Hour:
		return count(int(d/time.Second), "second")
	case d < 2*day:
		return count(int(d.Round(time.Hour)/time.Hour), "hour")
	default:
		return count(int(d.Round(day)/day), "day")
	}
}

// count returns a number with a noun.
func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ply"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(noun, "y"))
	default:
		return fmt.Sprintf("%d %ss", n, noun)
	}
}
