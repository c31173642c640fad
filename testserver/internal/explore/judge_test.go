package explore

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
)

const before = `{"objects":[
  {"path":"/edges/tls","body":{"id":"edge","created_at":"2026-01-01T00:00:00Z","backend":{"backend":{"id":"blue"}},"policy":null}},
  {"path":"/ssh_credentials","body":{"id":"old","created_at":"2026-01-01T00:00:00Z"}},
  {"path":"/ssh_credentials","body":{"id":"foreign","created_at":"2026-01-01T00:00:00Z","description":"a"}}]}`

const after = `{"objects":[
  {"path":"/edges/tls","body":{"id":"edge","created_at":"2026-01-01T00:00:00Z","backend":{"backend":{"id":"green"}},"policy":null}},
  {"path":"/ssh_credentials","body":{"id":"new","created_at":"2026-02-01T00:00:00Z"}},
  {"path":"/ssh_credentials","body":{"id":"foreign","created_at":"2026-01-01T00:00:00Z","description":"a"}}]}`

const plan = `{"resource_changes":[
  {"address":"tunnel_tls_edge.web","mode":"managed","change":{"actions":["no-op"],"before":{"id":"edge"},"after":{"id":"edge"}}},
  {"address":"tunnel_tls_edge_backend.web","mode":"managed","change":{"actions":["update"],"before":{"edge_id":"edge"},"after":{"edge_id":"edge"}}},
  {"address":"tunnel_ssh_credential.ci","mode":"managed","change":{"actions":["delete","create"],"before":{"id":"old"},"after":{}}}]}`

const state = `{"resources":[
  {"mode":"data","type":"tunnel_tls_edge","name":"other","instances":[{"attributes":{"id":"foreign"}}]},
  {"mode":"managed","type":"tunnel_tls_edge","name":"web","instances":[{"attributes":{"id":"edge"}}]},
  {"mode":"managed","type":"tunnel_tls_edge_backend","name":"web","instances":[{"attributes":{"edge_id":"edge"}}]},
  {"module":"module.m[\"a\"]","mode":"managed","type":"tunnel_tls_edge","name":"two","instances":[{"index_key":"k","attributes":{"id":"two"}},{"index_key":1,"attributes":{"id":"three"}}]}]}`

func judge(t *testing.T) *Judge {
	t.Helper()
	j := &Judge{
		Held:      map[string]string{"edge": "tunnel_tls_edge.web", "old": "tunnel_ssh_credential.ci"},
		HeldAfter: map[string]string{"edge": "tunnel_tls_edge.web", "new": "tunnel_ssh_credential.ci"},
	}
	var read copy.Plan
	if err := json.Unmarshal([]byte(plan), &read); err != nil {
		t.Fatal(err)
	}
	j.Plan = ReadPlan(&read)
	j.Before, j.After = account(t, before), account(t, after)
	return j
}

func account(t *testing.T, export string) Account {
	t.Helper()
	a, err := ParseAccount([]byte(export))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestJudge_findsWhatIsWrong(t *testing.T) {
	t.Parallel()
	names := map[string]string{"edge": "tunnel_tls_edge.web", "old": "tunnel_ssh_credential.ci", "new": "tunnel_ssh_credential.ci"}
	for name, test := range map[string]struct {
		change                   func(string) string
		held                     []string
		unplanned, left, missing string
	}{
		"as before":       {nil, []string{"edge", "old"}, "", "", ""},
		"deleted":         {without(`,\n  {"path":"/ssh_credentials","body":{"id":"old","created_at":"2026-01-01T00:00:00Z"}}`), []string{"edge"}, "", "", "tunnel_ssh_credential.ci does not exist"},
		"replaced":        {replaced(`"old"`, `"new"`), []string{"edge", "new"}, "", "", ""},
		"lost":            {replaced(`"old"`, `"new"`), []string{"edge"}, "", "tunnel_ssh_credential.ci new", ""},
		"forgotten":       {nil, []string{"edge"}, "", "tunnel_ssh_credential.ci old", ""},
		"never named":     {replaced(`"old"`, `"y"`), []string{"edge"}, "", "y y", "tunnel_ssh_credential.ci does not exist"},
		"strange":         {replaced(`"old"`, `"x"`), []string{"edge"}, "", "x x", "tunnel_ssh_credential.ci does not exist"},
		"without backend": {replaced(`{"backend":{"id":"blue"}}`, `null`), []string{"edge", "old"}, "", "", "tunnel_tls_edge.web has no backend"},
		"foreign changed": {replaced(`"a"`, `"b"`), []string{"edge", "old"}, "foreign has changed", "", ""},
		"foreign deleted": {without(`,\n  {"path":"/ssh_credentials","body":{"id":"foreign","created_at":"2026-01-01T00:00:00Z","description":"a"}}`), []string{"edge", "old"}, "foreign is gone", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, now, held := judge(t), before, map[string]string{}
			if test.change != nil {
				if now = test.change(before); now == before {
					t.Fatal("nothing has changed")
				}
			}
			for _, id := range test.held {
				held[id] = names[id]
			}
			of := func(id string) string { return names[id] }
			var left []string
			for _, object := range j.Left(account(t, now), held, of) {
				left = append(left, fmt.Sprint(object.Address, " ", object.ID))
			}
			got := []string{
				strings.Join(j.Unplanned(account(t, now), nil), ", "), strings.Join(left, ", "), strings.Join(j.Missing(account(t, now), of), ", "),
			}
			if want := []string{test.unplanned, test.left, test.missing}; !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func replaced(old, with string) func(string) string {
	return func(text string) string { return strings.Replace(text, old, with, 1) }
}

func without(text string) func(string) string {
	return replaced(strings.ReplaceAll(text, `\n`, "\n"), "")
}

func TestState_addresses(t *testing.T) {
	t.Parallel()
	got, err := ParseState([]byte(state))
	if err != nil || len(got) != 4 || got["edge"] != "tunnel_tls_edge.web" || got["edge/backend"] != "tunnel_tls_edge_backend.web" ||
		got["two"] != `module.m["a"].tunnel_tls_edge.two["k"]` || got["three"] != `module.m["a"].tunnel_tls_edge.two[1]` {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := ParseState([]byte(state[:40])); err == nil {
		t.Error("half a state has no error")
	}
}

func TestImports_findsAdvice(t *testing.T) {
	t.Parallel()
	const text = "It exists. Import it with:\n\n  terraform import tunnel_tls_edge.NAME %s\n\nor with this block"
	for name, test := range map[string]struct {
		address, id string
		want        []Import
	}{
		"an id":             {`tunnel_tls_edge.web["a"]`, "edgtls_1", []Import{{`tunnel_tls_edge.web["a"]`, "edgtls_1"}}},
		"a quoted id":       {"tunnel_tls_edge.web", "'edgtls 1'", []Import{{"tunnel_tls_edge.web", "edgtls 1"}}},
		"no address":        {"", "edgtls_1", []Import{{"tunnel_tls_edge.NAME", "edgtls_1"}}},
		"only a hint":       {"tunnel_tls_edge.web", "ID", nil},
		"two words, no cut": {"tunnel_tls_edge.web", "a b", nil},
	} {
		message := Message{Address: test.address, Text: strings.Replace(text, "%s", test.id, 1)}
		if got := Imports([]Message{message, message}); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
