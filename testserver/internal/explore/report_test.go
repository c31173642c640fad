package explore

import (
	"strings"
	"testing"
	"time"
)

func TestReport_classes(t *testing.T) {
	t.Parallel()
	object := func(named string) []Object { return []Object{{"tunnel_tls_edge.spare", "edge", named}} }
	good := &Recovery{Converged: true, Applies: 1}
	for name, test := range map[string]struct {
		found       Found
		want        Class
		bad, strict bool
	}{
		"not reached":               {Found{}, NotReached, false, false},
		"no harm":                   {Found{Succeeded: true, Naive: &Recovery{Converged: true}}, Harmless, false, false},
		"killed after all":          {Found{Naive: &Recovery{Converged: true}}, Again, false, false},
		"again":                     {Found{Naive: good}, Again, false, false},
		"advice is not needed":      {Found{Naive: good, Advised: &Recovery{Converged: true}}, Again, false, false},
		"import":                    {Found{Naive: &Recovery{Failure: "already exists"}, Advised: good}, Imported, false, false},
		"import avoids a second":    {Found{Naive: &Recovery{Converged: true, Left: object("error")}, Advised: good}, Imported, false, false},
		"import is not enough":      {Found{Naive: &Recovery{Converged: true, Left: object("error")}, Advised: &Recovery{}}, Named, false, false},
		"named":                     {Found{Naive: &Recovery{Converged: true, Left: object("progress")}}, Named, false, false},
		"unnamed":                   {Found{Naive: &Recovery{Converged: true, Left: object("")}}, Unnamed, false, true},
		"never":                     {Found{Naive: &Recovery{Failure: "no"}, Advised: &Recovery{Failure: "no"}}, Never, true, true},
		"unplanned":                 {Found{Naive: &Recovery{Converged: true, Unplanned: []string{"x"}}}, Unplanned, true, true},
		"unplanned with the advice": {Found{Naive: good, Advised: &Recovery{Converged: true, Unplanned: []string{"x"}}}, Unplanned, true, true},
	} {
		if got := test.found.Class(); got != test.want || test.found.Bad(false) != test.bad || test.found.Bad(true) != test.strict {
			t.Errorf("%s: %s, want %s; bad: %t, strict: %t", name, got, test.want, test.found.Bad(false), test.found.Bad(true))
		}
	}
}

func TestReport_text(t *testing.T) {
	t.Parallel()
	at := Request{Method: "POST", Path: "/edges/tls", Creates: `tunnel_tls_edge.web["a"]`, About: `tunnel_tls_edge.web["a"]`, Times: 1}
	r := &Report{
		Command: []string{"terraform", "apply", "-var=a=it's"}, Flags: []string{"-account", "a.json"}, Changes: 2, Requests: 1, Total: 6, Duration: time.Minute,
		Found: []Found{
			{Interruption: Interruption{at, Refused}, Naive: &Recovery{Converged: true, Applies: 1}, Missing: []string{"tunnel_ssh_credential.ci does not exist"}},
			{Interruption: Interruption{at, Lost}, Naive: &Recovery{Converged: true, Left: []Object{{"tunnel_tls_edge.web", "edge", "error"}}}, Advised: &Recovery{Converged: true, Imports: []Import{{"tunnel_tls_edge.web", "edge"}}}},
			{Interruption: Interruption{at, KillGroup}, TornState: true, Naive: &Recovery{Converged: true, Left: []Object{{"tunnel_tls_edge.spare", "edge", ""}}}},
			{Interruption: Interruption{at, KillTerraform}, Naive: &Recovery{Converged: true, Left: []Object{{"tunnel_tls_edge.spare", "edge", ""}}}},
			{Interruption: Interruption{at, Outage}, Naive: &Recovery{Failure: "Error: no"}},
		},
	}
	var text strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	const want = `5 interruptions of an apply with 2 changes and 1 requests:

    1 never converge: the plan is not empty after three more applies
      tunnel_tls_edge.web["a"]: outage
        Error: no
        tunnel-testserver explore -account a.json -only 'POST /edges/tls (tunnel_tls_edge.web["a"]):outage' -- terraform apply '-var=a=it'\''s'

    2 leave an object that no state holds and no message names
      the local state, which is empty or cut off: kill-group
        tunnel-testserver explore -account a.json -only 'POST /edges/tls (tunnel_tls_edge.web["a"]):kill-group' -- terraform apply '-var=a=it'\''s'
      tunnel_tls_edge.spare: kill-terraform
        tunnel-testserver explore -account a.json -only 'POST /edges/tls (tunnel_tls_edge.web["a"]):kill-terraform' -- terraform apply '-var=a=it'\''s'

    1 end with an error that names an import; after it and another apply, all is as planned
      tunnel_tls_edge.web: answer-lost
        without the import, applying again leaves a second object (1 of 1)
        tunnel-testserver explore -account a.json -only 'POST /edges/tls (tunnel_tls_edge.web["a"]):answer-lost' -- terraform apply '-var=a=it'\''s'

    1 end with an error or a kill; apply again, and all is as planned

Until the next apply:
    1 tunnel_ssh_credential.ci does not exist
        tunnel-testserver explore -account a.json -only 'POST /edges/tls (tunnel_tls_edge.web["a"]):refused' -- terraform apply '-var=a=it'\''s'

1 left a local state that is empty or cut off. The backup was copied over it first.

The exploration was interrupted: 5 of 6 interruptions were tried.

5 interruptions in 1m0s, 5 per minute.
`
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
}
