package explore

import (
	"slices"
	"strings"
	"testing"
)

// run1 and run2 are what two undisturbed runs leave: a backend with a generated key, and
// an edge in front of it. They change the old edge, and delete the old backend.
const (
	start = `{"objects":[
  {"body":{"id":"bkd_old","created_at":"2026-01-01T00:00:00Z"}},
  {"body":{"id":"edg_old","created_at":"2026-01-01T00:00:00Z","backend":{"id":"bkd_old"}}},
  {"body":{"id":"edg_other","created_at":"2026-01-01T00:00:00Z"}}]}`
	run1 = `{"objects":[
  {"body":{"id":"edg_old","created_at":"2026-01-01T00:00:00Z","backend":{"id":"bkd_1"}}},
  {"body":{"id":"edg_other","created_at":"2026-01-01T00:00:00Z"}},
  {"body":{"id":"bkd_1","created_at":"2026-02-01T00:00:00Z","key":"abc","labels":{"a":"b"}}},
  {"body":{"id":"edg_1","created_at":"2026-02-01T00:00:00Z","uri":"/edges/edg_1","backend":{"id":"bkd_1"}}}]}`
)

var run2 = strings.NewReplacer("bkd_1", "bkd_2", "edg_1", "edg_2", "2026-02", "2026-03", "abc", "def").Replace(run1)

func TestLikeness_ignoresWhatDiffersInEachRun(t *testing.T) {
	t.Parallel()
	names := map[string]string{"bkd_1": "backend.1", "edg_1": "edge.1"}
	before := account(t, start)
	l, err := NewLikeness(before, account(t, run1), account(t, run2), func(id string) string { return names[id] })
	if err != nil {
		t.Fatal(err)
	}
	second := `,{"body":{"id":"edg_0","created_at":"2026-02-01T00:00:00Z","uri":"/edges/edg_0","backend":{"id":"bkd_2"}}}]}`
	judge := Undisturbed(before, account(t, run1))
	for name, test := range map[string]struct{ now, differs, left, unplanned string }{
		"another key":    {strings.Replace(run2, "def", "ghi", 1), "", "", ""},
		"nothing":        {start, "backend.1, edg_old, edge.1", "bkd_old", ""},
		"other labels":   {strings.Replace(run2, `"b"`, `"c"`, 1), "backend.1", "bkd_2", ""},
		"a second edge":  {strings.Replace(run2, "]}", second, 1), "", "edg_0", ""},
		"not deleted":    {strings.Replace(run2, "]}", `,{"body":{"id":"bkd_old","created_at":"2026-01-01T00:00:00Z"}}]}`, 1), "", "bkd_old", ""},
		"changes others": {strings.Replace(run2, `"edg_other",`, `"edg_other","x":1,`, 1), "edg_other", "", "edg_other has changed"},
	} {
		now := account(t, test.now)
		same, differs := l.Compare(now)
		var left []string
		for _, object := range judge.Left(now, same, func(string) string { return "" }, Told{}) {
			left = append(left, object.ID)
		}
		got := []string{strings.Join(differs, ", "), strings.Join(left, ", "), strings.Join(judge.Unplanned(now), ", ")}
		if want := []string{test.differs, test.left, test.unplanned}; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if _, err := NewLikeness(before, account(t, run1), before, nil); err == nil || !strings.Contains(err.Error(), "leave different objects") {
		t.Errorf("runs that differ: %v", err)
	}
}

// TestNames_ofBodiesThatDiffer names the requests of a command that makes up names.
func TestNames_ofBodiesThatDiffer(t *testing.T) {
	t.Parallel()
	records := func(id string) []Record {
		return []Record{
			{"POST", "/edges/tls", []byte(`{"name":"a` + id + `"}`), "edg_" + id}, {"POST", "/edges/tls", []byte(`{"name":"fixed"}`), "fix_" + id},
			{"POST", "/edges/tls", []byte(`{"name":"b` + id + `"}`), "new_" + id}, {"DELETE", "/edges/tls/new_" + id, nil, ""},
		}
	}
	script := Learn(map[string]string{}, map[string]string{}, records("1"))
	names := script.Names()
	for round := range 2 { // the same command twice
		var got []string
		for _, r := range records(string(rune('2' + round))) {
			request, creation := names.Request(r.Method, r.Path, r.Body)
			got = append(got, request.String())
			names.Created(creation, r.Created)
		}
		want := []string{"POST /edges/tls (tls.1)", "POST /edges/tls (tls.2)", "POST /edges/tls (tls.3)", "DELETE /edges/tls/tls.3"}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		names.Again()
	}
}
