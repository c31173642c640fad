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
			var left []string
			for _, object := range j.Left(account(t, now), held, names) {
				left = append(left, fmt.Sprint(object.Address, " ", object.ID))
			}
			got := []string{
				strings.Join(j.Unplanned(account(t, now), nil), ", "), strings.Join(left, ", "), strings.Join(j.Missing(account(t, now), names), ", "),
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
		message := copy.Diagnostic{Address: test.address, Detail: strings.Replace(text, "%s", test.id, 1)}
		if got := Imports([]copy.Diagnostic{message, message}); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestJudge_alike compares accounts whose new objects have other ids and values.
func TestJudge_alike(t *testing.T) {
	t.Parallel()
	old := map[string]any{"description": "old", "metadata": "x"}
	j := &Judge{
		Before: Account{"edgtls_1": old, "edgtls_2": old},
		After:  Account{"edgtls_1": {"description": "new", "metadata": "x"}, "edgtls_2": old, "ra_1": {"description": "a"}},
	}
	j.withoutPlan([]Record{{Path: "/reserved_addrs", Created: "ra_1"}})
	changed := map[string]any{"description": "of another run", "metadata": "x"}
	for name, test := range map[string]struct {
		now  Account
		want string
	}{
		"other values": {Account{"edgtls_1": changed, "edgtls_2": old, "ra_9": {"description": "b"}}, ""},
		"not changed":  {Account{"edgtls_1": old, "edgtls_2": old, "ra_9": {"description": "b"}}, "edgtls_1"},
		"changed, too": {Account{"edgtls_1": changed, "edgtls_2": changed, "ra_9": {"description": "b"}}, "edgtls_2"},
		"other member": {Account{"edgtls_1": changed, "edgtls_2": old, "ra_9": {"metadata": "b"}}, "reserved_addrs.1"},
		"missing":      {Account{"edgtls_1": changed}, "edgtls_2,reserved_addrs.1"},
	} {
		if _, differs := j.alike(test.now); strings.Join(differs, ",") != test.want {
			t.Errorf("%s: %q, want %s", name, differs, test.want)
		}
	}
}
