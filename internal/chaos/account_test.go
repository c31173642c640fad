package chaos

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestAccAccount_ofSomebodyElse runs commands for a state of one account with
// the API key of another. Every command fails, nothing is created in the other
// account, and the state keeps all objects, or all but two and what is in them if
// Terraform works on one after the other.
func TestAccAccount_ofSomebodyElse(t *testing.T) {
	t.Parallel()
	const size = 10
	for name, test := range map[string]struct {
		strangers int
		command   []string
		aliases   bool
		loses     int // at most two, and the policy of an edge
	}{
		"plan":                      {1, []string{"plan"}, false, 0},
		"plan, empty account":       {0, []string{"plan"}, false, 0},
		"plan, 100 strangers":       {100, []string{"plan"}, false, 0},
		"plan -parallelism=1":       {1, []string{"plan", "-parallelism=1"}, false, 0},
		"plan -refresh-only":        {1, []string{"plan", "-refresh-only"}, false, 0},
		"plan -target":              {1, []string{"plan", "-target=tunnel_group_backend.all"}, false, 0},
		"apply":                     {1, []string{"apply", "-auto-approve"}, false, 0},
		"apply, 100 strangers":      {100, []string{"apply", "-auto-approve"}, false, 0},
		"apply -parallelism=1":      {1, []string{"apply", "-auto-approve", "-parallelism=1"}, false, 0},
		"apply -refresh-only":       {0, []string{"apply", "-auto-approve", "-refresh-only"}, false, 0},
		"apply, three aliases":      {1, []string{"apply", "-auto-approve"}, true, 0},
		"replace without a refresh": {1, []string{"apply", "-auto-approve", "-refresh=false", "-replace=tunnel_group_backend.all[0]", "-replace=tunnel_group_backend.all[1]", "-replace=tunnel_group_backend.all[2]", "-replace=tunnel_group_backend.all[3]"}, false, 0},
		"destroy":                   {1, []string{"destroy", "-auto-approve"}, false, 0},
		"destroy, empty account":    {0, []string{"destroy", "-auto-approve"}, false, 0},
		"destroy -refresh=false":    {100, []string{"destroy", "-auto-approve", "-refresh=false"}, false, 0},
		"destroy one by one":        {1, []string{"destroy", "-auto-approve", "-refresh=false", "-parallelism=1"}, false, 3},
		"destroy -target":           {1, []string{"destroy", "-auto-approve", "-refresh=false", "-target=tunnel_group_backend.all"}, false, 0},
		"destroy, three aliases":    {1, []string{"destroy", "-auto-approve", "-refresh=false"}, true, 0},
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
			held, before := len(tf.state()), len(w.Paths())
			tf.Setenv(t, map[string]string{"TUNNEL_BASE_URL": other.URL, "TUNNEL_API_KEY": other.AdminKey})
			strangers := len(other.Paths())
			out, err := tf.Try(t, append(test.command, "-no-color", "-input=false")...)
			text := strings.Join(strings.Fields(strings.ReplaceAll(out, "│", "")), " ")
			if err == nil || !strings.Contains(text, foreignAccount) {
				t.Errorf("%v\n%s", err, acctest.Summary(out))
			}
			if strings.Contains(text, "already removed from the state: ") != (test.loses > 0) {
				t.Errorf("what left the state is not said, or something else:\n%s", acctest.Summary(out))
			}
			for _, want := range []string{"at " + other.URL + " contains none of the objects of the state", "tunnel group backend bkdtg_", "TUNNEL_SKIP_ACCOUNT_VALIDATION=true", "skip_account_validation = true", "terraform state rm tunnel_"} {
				if err != nil && !strings.Contains(text, want) {
					t.Errorf("the error does not say %q:\n%s", want, acctest.Summary(out))
				}
			}
			if lost := held - len(tf.state()); lost > test.loses {
				t.Errorf("the state lost %d of %d objects:\n%s", lost, held, acctest.Summary(out))
			}
			if now := len(other.Paths()); now != strangers {
				t.Errorf("%d objects were created in the other account", now-strangers)
			}
			if now := len(w.Paths()); now != before {
				t.Errorf("%d objects are left of %d", now, before)
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
	held := 0
	for _, h := range tf.state() {
		if strings.HasPrefix(h.address, "tunnel_group_backend.all") {
			held++
		}
	}
	if held != 4 || len(created(w)) != 4 {
		t.Errorf("the state has %d of the 4 objects, and the account %d", held, len(created(w)))
	}
}

// TestAccAccount_deletedByHand deletes objects outside of Terraform. As long as
// one of them is left, the plan creates the others again. For all of them, the
// user has to say that this is true.
func TestAccAccount_deletedByHand(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		keep    string // the type of the objects that are left
		command []string
		env     string // for a second try
		config  string
		fails   bool
	}{
		"some, plan":                {keep: "tunnel_ssh_credential", command: []string{"plan"}},
		"some, destroy":             {keep: "tunnel_ssh_credential", command: []string{"destroy", "-auto-approve"}},
		"some, without a refresh":   {keep: "tunnel_ssh_credential", command: []string{"destroy", "-auto-approve", "-refresh=false"}},
		"all, plan":                 {command: []string{"plan"}, env: "true", fails: true},
		"all, apply":                {command: []string{"apply", "-auto-approve"}, config: "skip_account_validation = true", fails: true},
		"all, destroy":              {command: []string{"destroy", "-auto-approve"}, env: "1", fails: true},
		"all, destroy, one by one":  {command: []string{"destroy", "-auto-approve", "-refresh=false", "-parallelism=1"}, env: "true", fails: true},
		"all, environment is false": {command: []string{"plan"}, env: "false", fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			before := len(w.Paths())
			tf := newTerraform(t, w.URL, w.AdminKey, staging(t, 8, ""))
			tf.Apply(t)
			for path, h := range tf.state() {
				if test.keep == "" || !strings.HasPrefix(h.address, test.keep+".") {
					if w.Exists(path) { // the parent may have been deleted
						w.ForceDelete(path)
					}
				}
			}
			command := append(slices.Clone(test.command), "-no-color", "-input=false")
			out, err := tf.Try(t, command...)
			if (err != nil) != test.fails || test.fails && !strings.Contains(out, foreignAccount) {
				t.Fatalf("%v\n%s", err, acctest.Summary(out))
			}
			if test.fails {
				if test.env != "" {
					tf.Setenv(t, map[string]string{"TUNNEL_SKIP_ACCOUNT_VALIDATION": test.env})
				}
				if test.config != "" {
					tf.Write(t, "provider.tf", "provider \"tunnel\" {\n  "+test.config+"\n}\n")
				}
				if out, err = tf.Try(t, command...); (err != nil) != (test.env == "false") {
					t.Fatalf("with the way out: %v\n%s", err, acctest.Summary(out))
				}
			}
			if test.command[0] == "destroy" && len(w.Paths()) != before {
				t.Errorf("the destroy leaves %d objects", len(w.Paths())-before)
			}
			if test.command[0] == "apply" {
				tf.ExpectNoChanges(t)
			}
		})
	}
}

// TestAccAccount_parentDeletedByHand deletes an edge outside of Terraform, and with it
// everything in it. These are more than three objects, but one deletion.
func TestAccAccount_parentDeletedByHand(t *testing.T) {
	t.Parallel()
	for _, command := range [][]string{{"plan"}, {"apply", "-auto-approve"}, {"destroy", "-auto-approve", "-refresh=false"}, {"destroy", "-auto-approve", "-parallelism=1"}} {
		t.Run(strings.Join(command, " "), func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			before := len(w.Paths())
			tf := newTerraform(t, w.URL, w.AdminKey, `
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
`)
			tf.Apply(t)
			for path, h := range tf.state() {
				if strings.HasPrefix(h.address, "tunnel_https_edge.") {
					w.ForceDelete(path)
				}
			}
			if out, err := tf.Try(t, append(command, "-no-color", "-input=false")...); err != nil {
				t.Fatalf("%v\n%s", err, acctest.Summary(out))
			}
			switch command[0] {
			case "apply":
				tf.ExpectNoChanges(t)
			case "destroy":
				if len(w.Paths()) != before {
					t.Errorf("the destroy leaves %d objects", len(w.Paths())-before)
				}
			}
		})
	}
}
