package chaos

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// staging returns a configuration of n objects of several kinds, with and
// without parents. alias is the provider of all of them.
func staging(t *testing.T, n int, alias string) string {
	t.Helper()
	provider, name := "", "all"
	if alias != "" {
		provider, name = "provider = tunnel."+alias, alias
	}
	var config strings.Builder
	if alias != "" {
		fmt.Fprintf(&config, "provider \"tunnel\" {\n  alias = %q\n}\n", alias)
	}
	fmt.Fprintf(&config, `
resource "tunnel_group_backend" %[1]q {
  %[2]s
  count  = %[3]d
  labels = { app = "web" }
}

resource "tunnel_tls_edge" %[1]q {
  %[2]s
  hostports = ["%[1]s.example.com:443"]
}

resource "tunnel_tls_edge_policy" %[1]q {
  %[2]s
  edge_id = tunnel_tls_edge.%[1]s.id
  inbound = [{ expressions = ["true"], actions = [{ type = "deny" }] }]
}

resource "tunnel_ssh_credential" %[1]q {
  %[2]s
  public_key = %[4]q
}
`, name, provider, n-3, testcert.PublicKey(t, ""))
	return config.String()
}

const foreignAccount = "The API key may belong to another account"

// TestAccAccount_ofSomebodyElse runs commands for a state of one account with the API
// key of another. Every command fails, nothing is created in the other account, and the
// state keeps all objects. Only a destroy without a refresh loses up to two of each
// provider block, and what is in them.
func TestAccAccount_ofSomebodyElse(t *testing.T) {
	t.Parallel()
	const size = 10
	const oneByOne = "destroy -auto-approve -refresh=false -parallelism=1"
	replaces := "apply -auto-approve -refresh=false"
	for i := range 4 {
		replaces += fmt.Sprintf(" -replace=tunnel_group_backend.all[%d]", i)
	}
	for name, test := range map[string]struct {
		strangers int
		aliases   bool
		commands  []string
	}{
		"one stranger": {strangers: 1, commands: []string{
			"plan", "plan -parallelism=1", "apply -auto-approve -refresh-only", replaces, "destroy -auto-approve", oneByOne,
		}},
		"empty account": {commands: []string{"plan", "destroy -auto-approve"}},
		"100 strangers": {strangers: 100, commands: []string{"apply -auto-approve", "destroy -auto-approve -refresh=false"}},
		"three aliases": {strangers: 1, aliases: true, commands: []string{"apply -auto-approve", "destroy -auto-approve -refresh=false"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, other := acctest.Start(t), acctest.Start(t)
			for i := range test.strangers {
				other.Create(list, fmt.Sprintf(`{"labels":{"app":"stranger %d"}}`, i))
			}
			config := staging(t, size, "")
			if test.aliases {
				config = staging(t, size, "a") + staging(t, size, "b") + staging(t, size, "c")
			}
			tf := newTerraform(t, w.URL, w.AdminKey, config)
			tf.Apply(t)
			other.Age(time.Minute) // or a 404 only takes longer
			held, before, strangers := len(tf.state()), len(w.Paths()), len(other.Paths())
			tf.Setenv(t, map[string]string{"TUNNEL_BASE_URL": other.URL, "TUNNEL_API_KEY": other.AdminKey})
			for _, command := range test.commands {
				out, err := tf.Try(t, append(strings.Fields(command), "-no-color", "-input=false")...)
				text, loses := strings.Join(strings.Fields(strings.ReplaceAll(out, "│", "")), " "), 0
				if strings.HasPrefix(command, "destroy -auto-approve -refresh=false") { // two objects, and what is in one of them
					loses = 3
					if test.aliases {
						loses = 3 * 3
					}
				}
				for _, want := range []string{
					foreignAccount, "at " + other.URL + " contains none of the objects of the state", "tunnel group backend bkdtg_",
					"TUNNEL_SKIP_ACCOUNT_VALIDATION=true", "skip_account_validation = true", "terraform state rm tunnel_",
				} {
					if err == nil || !strings.Contains(text, want) {
						t.Errorf("%s: the error %v does not say %q:\n%s", command, err, want, acctest.Summary(out))
					}
				}
				if lost := held - len(tf.state()); lost > loses {
					t.Fatalf("%s: the state lost %d of %d objects:\n%s", command, lost, held, acctest.Summary(out))
				}
				if other, now := len(other.Paths()), len(w.Paths()); other != strangers || now != before {
					t.Fatalf("%s: %d objects were created in the other account, %d are left of %d", command, other-strangers, now, before)
				}
			}
		})
	}
}

// TestAccAccount_savedPlan plans with one account, and applies the plan with
// the API key of another. Creations succeed there, but do not prove that the
// account is the right one.
func TestAccAccount_savedPlan(t *testing.T) {
	t.Parallel()
	w, other := acctest.Start(t), acctest.Start(t)
	tf := newTerraform(t, w.URL, w.AdminKey, backends(4, ""))
	tf.Apply(t)
	other.Age(time.Minute)
	tf.Write(t, "main.tf", strings.ReplaceAll(tf.Read(t, "main.tf"), `"tunnel_group_backend" "all"`, `"tunnel_group_backend" "new"`))
	tf.Run(t, "plan", "-out=saved.plan")
	tf.Setenv(t, map[string]string{"TUNNEL_BASE_URL": other.URL, "TUNNEL_API_KEY": other.AdminKey})
	out, err := tf.Try(t, "apply", "-no-color", "saved.plan")
	if err == nil || !strings.Contains(out, foreignAccount) {
		t.Errorf("%v\n%s", err, acctest.Summary(out))
	}
	held, made := 0, len(w.List(list))
	for _, h := range tf.state() {
		if strings.HasPrefix(h.address, "tunnel_group_backend.all") {
			held++
		}
	}
	if held != 4 || made != 4 {
		t.Errorf("the state has %d of the 4 objects, and the account %d", held, made)
	}
}

// TestAccount_minimalRefresh makes the calls of a plan with -minimal-refresh, in each
// order: it plans all objects, and reads only the one that changes.
func TestAccount_minimalRefresh(t *testing.T) {
	t.Parallel()
	const group = "tunnel_group_backend"
	w, other := acctest.Start(t), acctest.Start(t)
	var states []tftypes.Value
	for range 3 {
		state, _ := w.Protocol(t).Import(group, w.Create(list, `{"labels":{"app":"web"}}`), nil)
		states = append(states, state)
	}
	other.Age(time.Minute)
	for changed := range states {
		p, found := other.Protocol(t), ""
		for i, state := range states {
			resp := p.Plan(group, state, p.Kept(group, state))
			for _, d := range resp.Diagnostics {
				found += d.Summary
			}
			if i != changed {
				continue
			}
			read, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: group, CurrentState: p.Dynamic(state)})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range read.Diagnostics {
				found += d.Summary
			}
		}
		if !strings.Contains(found, foreignAccount) {
			t.Errorf("object %d changes, and the account is wrong: %q", changed, found)
		}
	}
}

// deleteByHand deletes the objects of some types, and what is in them, outside of
// Terraform.
func deleteByHand(w *acctest.Env, tf *terraform, types ...string) {
	for path, h := range tf.state() {
		kind, _, _ := strings.Cut(h.address, ".")
		if slices.Contains(types, kind) && w.Exists(path) { // the parent may have been deleted
			w.ForceDelete(path)
		}
	}
}

// TestAccAccount_deletedByHand deletes objects outside of Terraform. As long as one of
// them is left, the plan creates the others again. For all of them, the user has to say
// that this is true. An edge and everything in it are one deletion.
func TestAccAccount_deletedByHand(t *testing.T) {
	t.Parallel()
	const destroys = "destroy -auto-approve -refresh=false"
	parents := []string{"tunnel_group_backend", "tunnel_tls_edge"}
	all := append([]string{"tunnel_ssh_credential"}, parents...)
	type step struct {
		deletes  []string // types of objects that are deleted before
		command  string
		env      string // TUNNEL_SKIP_ACCOUNT_VALIDATION
		provider string // argument of the provider block
		fails    bool
	}
	for name, test := range map[string]struct {
		config string
		steps  []step
	}{
		"some": {staging(t, 8, ""), []step{{deletes: parents, command: "plan"}, {command: destroys}}},
		"all": {staging(t, 8, ""), []step{
			{deletes: all, command: "plan", fails: true},
			{command: "plan", env: "false", fails: true},
			{command: "plan", env: "true"},
			{command: "apply -auto-approve", provider: "skip_account_validation = true"},
		}},
		"all, destroy": {staging(t, 8, ""), []step{
			{deletes: all, command: "destroy -auto-approve", fails: true}, {command: destroys, env: "1"},
		}},
		"all, destroy one by one": {staging(t, 8, ""), []step{{deletes: all, command: destroys + " -parallelism=1", fails: true}}},
		"one parent": {family, []step{
			{deletes: []string{"tunnel_https_edge"}, command: "plan"},
			{command: "apply -auto-approve"},
			{deletes: []string{"tunnel_https_edge"}, command: destroys + " -parallelism=1"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			before := len(w.Paths())
			tf := newTerraform(t, w.URL, w.AdminKey, test.config)
			tf.Apply(t)
			for _, step := range test.steps {
				deleteByHand(w, tf, step.deletes...)
				tf.Unsetenv(t, "TUNNEL_SKIP_ACCOUNT_VALIDATION")
				if step.env != "" {
					tf.Setenv(t, map[string]string{"TUNNEL_SKIP_ACCOUNT_VALIDATION": step.env})
				}
				if step.provider != "" {
					tf.Write(t, "provider.tf", "provider \"tunnel\" {\n  "+step.provider+"\n}\n")
				}
				out, err := tf.Try(t, append(strings.Fields(step.command), "-no-color", "-input=false")...)
				if (err != nil) != step.fails || step.fails && !strings.Contains(out, foreignAccount) {
					t.Fatalf("%+v: %v\n%s", step, err, acctest.Summary(out))
				}
				switch {
				case strings.HasPrefix(step.command, "apply"):
					tf.ExpectNoChanges(t)
				case strings.HasPrefix(step.command, "destroy") && !step.fails && len(w.Paths()) != before:
					t.Errorf("the destroy leaves %d objects", len(w.Paths())-before)
				}
			}
		})
	}
}

const family = `
resource "tunnel_https_edge" "www" {
  hostports = ["www.example.com:443"]
}

resource "tunnel_https_edge_route" "www" {
  edge_id    = tunnel_https_edge.www.id
  match_type = "path_prefix"
  match      = "/"
}

resource "tunnel_https_edge_route_compression" "www" {
  edge_id  = tunnel_https_edge.www.id
  route_id = tunnel_https_edge_route.www.id
}

resource "tunnel_https_edge_route_websocket_tcp_converter" "www" {
  edge_id  = tunnel_https_edge.www.id
  route_id = tunnel_https_edge_route.www.id
}
`
