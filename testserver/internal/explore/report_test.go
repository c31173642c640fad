package explore

import (
	"strings"
	"testing"
	"time"
)

func TestReport_classes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		found       Found
		want        Class
		bad, strict bool
	}{
		"not reached": {Found{}, NotReached, false, false},
		"no harm":     {Found{Reached: true, Succeeded: true, Converged: true}, Harmless, false, false},
		"again":       {Found{Reached: true, Converged: true, Applies: 1}, Again, false, false},
		"import":      {Found{Reached: true, Converged: true, Imports: []Import{{"tunnel_tls_edge.web", "edge"}}}, Imported, false, false},
		"wrong":       {Found{Reached: true, Converged: true, Wrong: "x", Left: []Object{{"tunnel_tls_edge.spare", "edge"}}}, Wrong, true, true},
		"named":       {Found{Reached: true, Converged: true, Named: true, Left: []Object{{"tunnel_tls_edge.spare", "edge"}}}, Named, false, false},
		"twice":       {Found{Reached: true, Converged: true, Twice: []Object{{"tunnel_tls_edge.spare", "edge"}}}, Twice, false, false},
		"undone":      {Found{Reached: true, Converged: true, Undone: "metadata of tunnel_tls_edge.web"}, Undone, false, false},
		"left":        {Found{Reached: true, Converged: true, Left: []Object{{"tunnel_tls_edge.spare", "edge"}}}, Left, false, true},
		"never":       {Found{Reached: true, Failure: "no"}, Never, true, true},
		"unplanned":   {Found{Reached: true, Converged: true, Unplanned: []string{"x"}}, Unplanned, true, true},
	} {
		r := &Report{Classes: map[Class]int{}}
		if r.add(test.found); r.Classes[test.want] != 1 || r.Bad(false) != test.bad || r.Bad(true) != test.strict {
			t.Errorf("%s: %s, want %s; bad: %t, strict: %t", name, r.Found[0].Class, test.want, r.Bad(false), r.Bad(true))
		}
	}
}

func TestReport_text(t *testing.T) {
	t.Parallel()
	at := Request{Method: "POST", Path: "/edges/tls", Creates: `tunnel_tls_edge.web["a"]`, About: `tunnel_tls_edge.web["a"]`, Times: 1}
	r := &Report{
		Command: []string{"terraform", "apply", "-var=a=it's"}, Flags: []string{"-account", "a.json"}, Changes: 2, Requests: 1, Total: 6, Duration: time.Minute, Classes: map[Class]int{},
	}
	for _, found := range []Found{
		{Interruption: Interruption{at, Fails}, Reached: true, Converged: true, Applies: 1, Missing: []string{"tunnel_ssh_credential.ci does not exist"}},
		{Interruption: Interruption{at, Lost}, Reached: true, Converged: true, Imports: []Import{{"tunnel_tls_edge.web", "edge"}}},
		{Interruption: Interruption{at, Kill}, Reached: true, TornState: true, Converged: true, Left: []Object{{"tunnel_tls_edge.spare", "edge"}}},
		{Interruption: Interruption{at, Terminate}, Reached: true, Converged: true, Left: []Object{{"tunnel_tls_edge.spare", "edge"}}},
		{Interruption: Interruption{at, Outage}, Reached: true, Failure: "Error: no"},
	} {
		r.add(found)
	}
	var text strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	const want = `5 interruptions of a run with 2 changes and 1 request:

    1 never converge, however often it runs again
      tunnel_tls_edge.web["a"]: outage
        Error: no
        tunnel-testserver explore -account a.json -only 'POST /edges/tls (tunnel_tls_edge.web["a"]):outage' -- terraform apply '-var=a=it'\''s'
      What to do: do what the error says.

    2 leave an object that no state holds
      tunnel_tls_edge.spare: kill, sigterm
        tunnel-testserver explore -account a.json -only 'POST /edges/tls (tunnel_tls_edge.web["a"]):kill' -- terraform apply '-var=a=it'\''s'
      What to do: look for it before you run again, and import it.

    1 end with an error that names an import; after it and another run, all is as planned
      tunnel_tls_edge.web: answer-lost
        tunnel-testserver explore -account a.json -only 'POST /edges/tls (tunnel_tls_edge.web["a"]):answer-lost' -- terraform apply '-var=a=it'\''s'
      What to do: run the import that the error shows.

    1 end with an error or a kill; run again, and all is as planned
      What to do: run again.

Until the next run:
      tunnel_ssh_credential.ci does not exist: 500
        tunnel-testserver explore -account a.json -only 'POST /edges/tls (tunnel_tls_edge.web["a"]):500' -- terraform apply '-var=a=it'\''s'
      What to do: add create_before_destroy.

1 left a local state that is empty or cut off. The backup was copied over it first.

The exploration was interrupted: 5 of 6 interruptions were tried.

5 interruptions in 1m0s, 5 per minute.
`
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
	r.Without(nil)
	keys := r.Keys
	at.Times = 2 // equal requests come in any order
	for n, known := range map[int][]string{0: nil, 1: keys} {
		r := &Report{Classes: map[Class]int{}}
		r.add(Found{Interruption: Interruption{at, Outage}, Reached: true, Failure: "Error: another"})
		if r.Without(known); r.Known != n || len(r.Found) != 1-n || r.Bad(true) == (n == 1) || r.Classes[Never] != 1-n || len(r.Keys) != 1 {
			t.Errorf("with %d keys: %+v", len(known), r)
		}
	}
}
