package calendar

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// sample is a calendar with long lines, characters that iCalendar escapes, and more
// than one object with the same fate.
func sample(t *testing.T) *Calendar {
	t.Helper()
	w := &world{objects: []Object{
		host("a", "2027-01-01 00:00:00", "2027-06-01 06:00:00", 10*day),
		host("b", "2027-01-01 00:00:00", "2027-06-01 06:00:00", 10*day),
		host(`c, or; \ größer`+strings.Repeat("ß", 60), "2027-01-01 00:00:00", "2027-06-03 06:00:00", -1),
	}}
	_, made := lines(t, w, "2027-05-01 12:00:00", 40, "on merge: 2027-06-07")
	return made
}

func TestText_groupsAndSums(t *testing.T) {
	t.Parallel()
	made := sample(t)
	made.Gate, made.Duration = "sh gate.sh", 1234*time.Millisecond
	var text strings.Builder
	if err := made.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	long := `c, or; \ größer` + strings.Repeat("ß", 60)
	want := `From 2027-05-01 12:00 to 2027-06-10 12:00, 3 objects that expire. Pipeline: on merge: 2027-06-07 at 06:00 UTC, with the gate sh gate.sh.

2027-05-22 06:00  waits    host.a and 1 more: the plan replaces it; the pipeline runs next on 2027-06-07
2027-05-24 06:00  warns    host.LONG: LONG ends, expired: false
2027-06-01 06:00  expired  host.a and 1 more: expired on 2027-06-01 06:00; served expired for 6 days, until 2027-06-07 06:00
2027-06-03 06:00  expired  host.LONG: LONG expired on 2027-06-03 06:00; served expired for 7 days, until the end of the calendar
2027-06-07 06:00  applied  host.a and 1 more: the pipeline replaces it; valid until 2027-11-05

Served expired: 3 objects.

Needs a person:
  host.a and 1 more: merge, so that the pipeline runs
  host.LONG: renew it, because no plan does

11 plans and 1 apply in 1.2s.
`
	if got := strings.ReplaceAll(text.String(), long, "LONG"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// property is a line of iCalendar.
type property struct{ name, value string }

// read reads a calendar as RFC 5545 says: lines of at most 75 bytes that end with CRLF,
// a space at the beginning continues the line before, and texts are escaped.
func read(t *testing.T, text string) []property {
	t.Helper()
	if !strings.HasSuffix(text, "\r\n") || strings.Count(text, "\n") != strings.Count(text, "\r\n") {
		t.Fatal("a line does not end with CRLF")
	}
	for line := range strings.SplitSeq(text, "\r\n") {
		if len(line) > 75 || line != strings.ToValidUTF8(line, "?") {
			t.Errorf("a line has %d bytes, or ends inside a character: %q", len(line), line)
		}
	}
	var all []property
	form := regexp.MustCompile(`^[A-Z-]+$`)
	unescaped := strings.NewReplacer(`\\`, `\`, `\;`, ";", `\,`, ",", `\n`, "\n")
	for line := range strings.SplitSeq(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n ", ""), "\r\n"), "\r\n") {
		name, value, found := strings.Cut(line, ":")
		if !found || !form.MatchString(name) {
			t.Fatalf("not a property: %q", line)
		}
		if bare := regexp.MustCompile(`\\[\\;,n]`).ReplaceAllString(value, ""); strings.ContainsAny(bare, `\;,`) {
			t.Errorf("not escaped: %q", line)
		}
		all = append(all, property{name, unescaped.Replace(regexp.MustCompile(`T0600..Z`).ReplaceAllString(value, "T060000Z"))})
	}
	return all
}

func TestICS_canBeRead(t *testing.T) {
	t.Parallel()
	made := sample(t)
	var text, again strings.Builder
	if err := made.WriteICS(&text); err != nil {
		t.Fatal(err)
	}
	_ = made.WriteICS(&again)
	if text.String() != again.String() {
		t.Error("the same calendar has other bytes")
	}
	all := read(t, text.String())
	if begin := []property{{"BEGIN", "VCALENDAR"}, {"VERSION", "2.0"}}; !slices.Equal(all[:2], begin) || all[len(all)-1] != (property{"END", "VCALENDAR"}) {
		t.Errorf("begins with %v, ends with %v", all[:2], all[len(all)-1])
	}
	uids := map[string]bool{}
	events := slices.DeleteFunc(all, func(p property) bool {
		if p.name == "UID" {
			uids[p.value] = true
		}
		return !slices.Contains([]string{"DTSTART", "DTEND", "SUMMARY"}, p.name)
	})
	if len(uids) != len(made.Entries) {
		t.Errorf("%d different UIDs for %d events", len(uids), len(made.Entries))
	}
	long := `c, or; \ größer` + strings.Repeat("ß", 60)
	want := []property{
		{"DTSTART", "20270522T060000Z"},
		{"SUMMARY", "host.a: the plan replaces it; the pipeline runs next on 2027-06-07"},
		{"DTSTART", "20270522T060000Z"},
		{"SUMMARY", "host.b: the plan replaces it; the pipeline runs next on 2027-06-07"},
		{"DTSTART", "20270524T060000Z"},
		{"SUMMARY", "host." + long + ": " + long + " ends, expired: false"},
		{"DTSTART", "20270601T060000Z"},
		{"DTEND", "20270607T060000Z"},
		{"SUMMARY", "host.a: a expired on 2027-06-01 06:00; served expired for 6 days, until 2027-06-07 06:00"},
		{"DTSTART", "20270601T060000Z"},
		{"DTEND", "20270607T060000Z"},
		{"SUMMARY", "host.b: b expired on 2027-06-01 06:00; served expired for 6 days, until 2027-06-07 06:00"},
		{"DTSTART", "20270603T060000Z"},
		{"DTEND", "20270610T120000Z"},
		{"SUMMARY", "host." + long + ": " + long + " expired on 2027-06-03 06:00; served expired for 7 days, until the end of the calendar"},
		{"DTSTART", "20270607T060000Z"},
		{"SUMMARY", "host.a: the pipeline replaces it; valid until 2027-11-05"},
		{"DTSTART", "20270607T060000Z"},
		{"SUMMARY", "host.b: the pipeline replaces it; valid until 2027-11-05"},
	}
	if !slices.Equal(events, want) {
		t.Errorf("got\n%q\nwant\n%q", events, want)
	}
}
