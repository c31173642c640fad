package chaos

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// staging returns a configuration of eight objects of several kinds, with and without
// parents.
func staging(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf(`
resource "tunnel_group_backend" "all" {
  count  = 5
  labels = { app = "web" }
}

resource "tunnel_tls_edge" "all" {
  hostports = ["all.example.com:443"]
}

resource "tunnel_tls_edge_policy" "all" {
  edge_id = tunnel_tls_edge.all.id
  inbound = [{ expressions = ["true"], actions = [{ type = "deny" }] }]
}

resource "tunnel_ssh_credential" "all" {
  public_key = %q
}
`, testcert.PublicKey(t, ""))
}

const foreignAccount = "The API key may belong to another account"

// TestAccAccount_ofSomebodyElse runs commands for a state of one account with the API
// key of another. Every command fails, nothing is created in the other account, and the
// state keeps all objects. Only a destroy without a refresh loses up to two objects, and
// what is in them.
func TestAccAccount_ofSomebodyElse(t *testing.T) {
	t.Parallel()
	replaces := "apply -auto-approve -refresh=false"
	for i := range 4 {
		replaces += fmt.Sprintf(" -replace=tunnel_group_backend.all[%d]", i)
	}
	for strangers, commands := range map[int][]string{
		0: {"plan", "destroy -auto-approve"},
		1: {
			"plan", "plan -parallelism=1", "apply -auto-approve -refresh-only", "destroy -auto-approve",
			"destroy -auto-approve -refresh=false -parallelism=1",
		},
		2: {replaces},
	} {
		t.Run(fmt.Sprintf("%d strangers", strangers), func(t *testing.T) {
			t.Parallel()
			w, other := acctest.Start(t), acctest.Start(t)
			for range strangers {
				other.Create(list, `{"labels":{"app":"stranger"}}`)
			}
			tf := newTerraform(t, w.URL, w.AdminKey, staging(t))
			tf.Apply(t)
			other.Age(time.Minute) // or a 404 only takes longer
			held, before, foreign := len(tf.state()), len(w.Paths()), len(other.Paths())
			tf.Setenv(map[string]string{"TUNNEL_BASE_URL": other.URL, "TUNNEL_API_KEY": other.AdminKey})
			for _, command := range commands {
				out, err := tf.Try(t, append(strings.Fields(command), "-no-color", "-input=false")...)
				for _, want := range []string{
					foreignAccount, "at " + other.URL + " contains none of the objects of the state", "tunnel group backend bkdtg_",
					"TUNNEL_SKIP_ACCOUNT_VALIDATION=true", "skip_account_validation = true", "terraform state rm tunnel_",
				} {
					if err == nil || !acctest.InError(want).MatchString(out) {
						t.Errorf("%s: the error %v does not say %q:\n%s", command, err, want, acctest.Summary(out))
					}
				}
				loses := 0
				if strings.HasPrefix(command, "destroy -auto-approve -refresh=false") { // two objects, and what is in one of them
					loses = 3
				}
				if lost := held - len(tf.state()); lost > loses {
					t.Fatalf("%s: the state lost %d of %d objects:\n%s", command, lost, held, acctest.Summary(out))
				}
				creates := 0
				if command == replaces { // two at most, if Terraform begins with the others only when they are gone
					creates = 2
				}
				if other, now := len(other.Paths()), len(w.Paths()); other > foreign+creates || now != before {
					t.Fatalf("%s: %d objects were created in the other account, %d are left of %d", command, other-foreign, now, before)
				}
			}
		})
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

// TestAccount_deletesInProgress deletes an object that somebody has deleted by hand,
// while two others are already gone because of deletions of the same run.
func TestAccount_deletesInProgress(t *testing.T) {
	t.Parallel()
	const group = "tunnel_group_backend"
	w := acctest.Start(t)
	p, deletions := w.Protocol(t), sync.WaitGroup{}
	w.SetRules(testserver.Rule{Behavior: "hold", Method: http.MethodDelete, Count: 2})
	var ids []string
	var states []tftypes.Value
	for range 3 {
		ids = append(ids, w.Create(list, `{"labels":{"app":"web"}}`))
		state, _ := p.Import(group, ids[len(ids)-1], nil)
		states = append(states, state)
	}
	for _, state := range states[:2] {
		deletions.Go(func() { p.Apply(group, state, tftypes.NewValue(p.Type(group), nil)) })
	}
	acctest.Await(t, func() bool { return len(w.Held(t.Context())) == 2 })
	for _, id := range ids {
		w.ForceDelete(list + "/" + id)
	}
	if _, diagnostics := p.Apply(group, states[2], tftypes.NewValue(p.Type(group), nil)); len(diagnostics) > 0 {
		t.Errorf("one object was deleted by hand: %s", diagnostics[0].Summary)
	}
	w.Release()
	deletions.Wait()
}

// TestAccAccount_deletedByHand deletes objects outside of Terraform. As long as one of
// them is left, the plan creates the others again. For all of them, the user has to say
// that this is true. An edge and everything in it are one deletion.
func TestAccAccount_deletedByHand(t *testing.T) {
	t.Parallel()
	const destroys, skip = "destroy -auto-approve -refresh=false", "TUNNEL_SKIP_ACCOUNT_VALIDATION"
	some := []string{"tunnel_group_backend", "tunnel_tls_edge"}
	all := append([]string{"tunnel_ssh_credential"}, some...)
	destroyedFirst := strings.Replace(staging(t), "public_key", "depends_on = [tunnel_group_backend.all, tunnel_tls_edge_policy.all]\n  public_key", 1)
	type step struct {
		command string
		skips   string // the value of skip
		fails   bool
	}
	for name, test := range map[string]struct {
		config  string
		deletes []string // types of objects
		steps   []step
	}{
		"some":                {staging(t), some, []step{{command: "plan"}}},
		"some, after another": {destroyedFirst, some, []step{{command: destroys}}},
		"all": {staging(t), all, []step{
			{command: "plan", fails: true}, {command: "plan", skips: "false", fails: true}, {command: "apply -auto-approve", skips: "true"},
		}},
		"all, destroy": {staging(t), all, []step{
			{command: "destroy -auto-approve", fails: true}, {command: destroys + " -parallelism=1", skips: "1"},
		}},
		"one parent": {family, []string{"tunnel_https_edge"}, []step{{command: "plan"}, {command: destroys + " -parallelism=1"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			before := len(w.Paths())
			tf := newTerraform(t, w.URL, w.AdminKey, test.config)
			tf.Apply(t)
			for path, held := range tf.state() {
				kind, _, _ := strings.Cut(held.address, ".")
				if slices.Contains(test.deletes, kind) && w.Exists(path) { // the parent may have been deleted
					w.ForceDelete(path)
				}
			}
			for _, step := range test.steps {
				tf.Setenv(map[string]string{skip: step.skips})
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
