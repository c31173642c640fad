package chaos

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const skipCheck = "provider \"tunnel\" {\n  skip_credentials_validation = true\n  max_retries                 = 1\n}\n"

// oneOfEachShape is a configuration of one object of each shape: with an id, with a
// natural key, in a parent, and a module.
func oneOfEachShape(t *testing.T, w *acctest.World) string {
	t.Helper()
	return fmt.Sprintf(`
resource "tunnel_group_backend" "all" {
  labels = { app = "web" }
}

resource "tunnel_ssh_credential" "all" {
  public_key = %q
}

resource "tunnel_event_source" "all" {
  subscription_id = %q
  type            = "domain_created.v0"
}

resource "tunnel_tls_edge_policy" "all" {
  edge_id = %q
}
`, acctest.PublicKey(t, "me"), w.CreateEventSubscription(), w.CreateTLSEdge())
}

// environment sets the provider's address for the commands that follow.
func (tf *terraform) environment(url string) { tf.env = append(tf.env, "TUNNEL_BASE_URL="+url) }

// A service at which nothing proves that the address is right never empties a
// state: every command ends with an error, and nothing is forgotten or deleted.
func TestAccGone_notWithoutProof(t *testing.T) {
	t.Parallel()
	apiError := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	notFound := `{"error_code":"ERR_TUNNEL_404","status_code":404,"msg":"not found","details":{}}`
	for name, stub := range map[string]func(w *acctest.World) http.HandlerFunc{
		"base_url with a wrong path": func(w *acctest.World) http.HandlerFunc {
			return func(rw http.ResponseWriter, r *http.Request) {
				r.URL.Path = "/v1" + r.URL.Path
				w.ServeHTTP(rw, r)
			}
		},
		"404 to everything":        func(*acctest.World) http.HandlerFunc { return apiError(http.StatusNotFound, notFound) },
		"HTML 404 to everything":   func(*acctest.World) http.HandlerFunc { return http.NotFound },
		"200 {} to GET and DELETE": func(*acctest.World) http.HandlerFunc { return apiError(http.StatusOK, `{}`) },
		"404 to objects, 403 to lists": func(*acctest.World) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if strings.Count(r.URL.Path, "/") < 3 && !strings.Contains(r.URL.Path, "_") || strings.HasSuffix(r.URL.Path, "s") {
					apiError(http.StatusForbidden, `{"msg":"not allowed"}`)(w, r)
					return
				}
				apiError(http.StatusNotFound, notFound)(w, r)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			config := oneOfEachShape(t, w)
			tf := newTerraform(t, w.URL, w.AdminKey, skipCheck+config)
			tf.run("apply", "-auto-approve", "-no-color")
			before := tf.read("state", "pull")
			front := httptest.NewServer(stub(w))
			t.Cleanup(front.Close)
			right := tf.env
			tf.environment(front.URL)
			for _, command := range [][]string{
				{"plan", "-no-color"}, {"apply", "-auto-approve", "-no-color"}, {"destroy", "-auto-approve", "-no-color"},
				{"destroy", "-auto-approve", "-no-color", "-refresh=false"}, {"plan", "-refresh-only", "-no-color"},
			} {
				out, err := tf.try(command...)
				if err == nil || !strings.Contains(out, "base_url") {
					t.Errorf("%v: error %v, want one that names base_url:\n%s", command, err, out)
				}
				if got := len(tf.state()); got != 4 {
					t.Fatalf("%v: the state has %d of 4 objects left:\n%s", command, got, out)
				}
			}
			tf.write("data.tf", "data \"tunnel_group_backend\" \"all\" {\n  id = \"bkdtg_1\"\n}\n")
			if out, err := tf.try("plan", "-no-color"); err == nil || !strings.Contains(out, "base_url") {
				t.Errorf("data source: error %v:\n%s", err, out)
			}
			tf.write("data.tf", "")
			tf.env = right
			if after := tf.read("state", "pull"); after != before {
				t.Errorf("the state has changed from\n%s\nto\n%s", before, after)
			}
			tf.run("plan", "-detailed-exitcode", "-no-color")
		})
	}
}

// What is gone at a service that is known to be the right one is planned anew.
func TestAccGone_createsAnew(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		remove  []string // resources
		adds    string
		summary string
	}{
		"one object": {remove: []string{"tunnel_group_backend"}, adds: "1 to add"},
		"a module":   {remove: []string{"tunnel_tls_edge_policy"}, adds: "1 to add"},
		"everything": {remove: []string{"tunnel_group_backend", "tunnel_ssh_credential", "tunnel_event_source", "tunnel_tls_edge_policy"}, adds: "4 to add"},
	} {
		for _, provider := range []string{"", skipCheck} {
			t.Run(fmt.Sprintf("%s, checked %t", name, provider == ""), func(t *testing.T) {
				t.Parallel()
				w := acctest.Start(t)
				tf := newTerraform(t, w.URL, w.AdminKey, provider+oneOfEachShape(t, w))
				tf.run("apply", "-auto-approve", "-no-color")
				for path, h := range tf.state() {
					for _, kind := range test.remove {
						if strings.HasPrefix(h.address, kind+".") {
							w.Delete(path)
						}
					}
				}
				if out := tf.run("plan", "-no-color"); !strings.Contains(out, "Plan: "+test.adds+", 0 to change, 0 to destroy") {
					t.Errorf("the plan is\n%s", out)
				}
				tf.run("apply", "-auto-approve", "-no-color")
				tf.run("plan", "-detailed-exitcode", "-no-color")
				tf.run("destroy", "-auto-approve", "-no-color")
				if left := w.List(list); len(left) > 0 {
					t.Errorf("%d backends are left", len(left))
				}
			})
		}
	}
}

// With the parent deleted by hand, its module and event source are gone, and the
// error of the new creation says what is missing.
func TestAccGone_parent(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf := newTerraform(t, w.URL, w.AdminKey, oneOfEachShape(t, w))
	tf.run("apply", "-auto-approve", "-no-color")
	for path := range tf.state() {
		for _, parent := range []string{"/edges/tls/", "/event_subscriptions/"} {
			if rest, ok := strings.CutPrefix(path, parent); ok {
				id, _, _ := strings.Cut(rest, "/")
				w.ForceDelete(parent + id)
			}
		}
	}
	if out := tf.run("plan", "-no-color"); !strings.Contains(out, "Plan: 2 to add, 0 to change, 0 to destroy") {
		t.Errorf("the plan is\n%s", out)
	}
	failures, err := tf.apply("apply")
	if err == nil || len(failures) != 2 {
		t.Fatalf("%v", failures)
	}
	for _, f := range failures {
		if f.unknown() || !strings.Contains(f.Detail, "404 Not Found") {
			t.Errorf("%s: %s: %s", f.Address, f.Summary, f.Detail)
		}
	}
	tf.run("destroy", "-auto-approve", "-no-color")
}

// A destroy of what is gone already succeeds; so does one whose answer is lost.
func TestAccGone_destroy(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf := newTerraform(t, w.URL, w.AdminKey, oneOfEachShape(t, w))
	tf.run("apply", "-auto-approve", "-no-color")
	for path := range tf.state() {
		w.Delete(path)
	}
	tf.run("destroy", "-auto-approve", "-no-color", "-refresh=false")
	if left := tf.state(); len(left) > 0 {
		t.Errorf("the state still has %v", left)
	}
}
