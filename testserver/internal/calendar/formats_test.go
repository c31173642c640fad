package calendar

import (
	"strings"
	"testing"
	"time"
)

func TestText_linesAndSums(t *testing.T) {
	t.Parallel()
	w := &world{objects: []Object{
		host("a", "2027-01-01 00:00:00", "2027-06-01 06:00:00", 10*day),
		host("c", "2027-01-01 00:00:00", "2027-06-03 06:00:00", -1),
	}}
	_, made := lines(t, w, "2027-05-01 12:00:00", 40, "on merge: 2027-06-07")
	made.Duration = 1234 * time.Millisecond
	var text strings.Builder
	if err := made.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	want := `From 2027-05-01 12:00 to 2027-06-10 12:00, 2 objects that expire. Pipeline: on merge: 2027-06-07 at 06:00 UTC.

2027-05-22 06:00  waits    host.a: the plan replaces it; the pipeline runs next on 2027-06-07
2027-05-24 06:00  warns    host.c: c ends, expired: false
2027-06-01 06:00  expired  host.a: a expired on 2027-06-01 06:00; served expired for 6 days, until 2027-06-07 06:00
2027-06-03 06:00  expired  host.c: c expired on 2027-06-03 06:00; served expired for 7 days, until the end of the calendar
2027-06-07 06:00  applied  host.a: the pipeline replaces it; valid until 2027-11-05

Served expired: 2 objects.

Needs a person:
  merge, so that the pipeline runs: host.a
  renew it, because no plan does: host.c

11 plans and 1 apply in 1.2s.
`
	if got := text.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
