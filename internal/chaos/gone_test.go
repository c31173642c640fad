package chaos

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const skipCheck = "provider \"tunnel\" {\n  skip_credentials_validation = true\n  max_retries                 = 1\n}\n"

// oneOfEachShape returns a configuration with one object of each shape: with an
// id, with a natural key, with a parent, and a module.
func oneOfEachShape(t *testing.T, w *acctest.Env) string {
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
`, testcert.PublicKey(t, "me"), w.CreateEventSubscription(), w.CreateTLSEdge())
}

// TestAccGone_notWithoutProof checks that a service that may be the wrong one
// never makes the provider remove objects from the state: every command fails,
// and no object is forgotten or deleted.
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
	for name, stub := range map[string]func(w *acctest.Env) http.HandlerFunc{
		"base_url with a wrong path": func(w *acctest.Env) http.HandlerFunc {
			return func(rw http.ResponseWriter, r *http.Request) {
				r.URL.Path = "/v1" + r.URL.Path
				w.ServeHTTP(rw, r)
			}
		},
		"404 to everything":      func(*acctest.Env) http.HandlerFunc { return apiError(http.StatusNotFound, notFound) },
		"HTML 404 to everything": func(*acctest.Env) http.HandlerFunc { return http.NotFound },
		"200 {} to GET, 404 to DELETE": func(*acctest.Env) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodDelete {
					http.NotFound(w, r)
					return
				}
				apiError(http.StatusOK, `{}`)(w, r)
			}
		},
		"404 to objects, 403 to lists": func(*acctest.Env) http.HandlerFunc {
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
			// A 404 for an object that is younger than 30 seconds only takes longer.
			w := acctest.Start(t, testserver.WithClock(func() time.Time { return time.Now().Add(-time.Minute) }))
			config := oneOfEachShape(t, w)
			tf := newTerraform(t, w.URL, w.AdminKey, skipCheck+config)
			tf.Apply(t)
			before, resources := tf.StateFile(t), tf.state()
			front := httptest.NewServer(stub(w))
			t.Cleanup(front.Close)
			tf.Setenv(t, map[string]string{"TUNNEL_BASE_URL": front.URL})
			for command, run := range map[string]func() (string, error){
				"plan":                   func() (string, error) { return tf.TryPlan(t) },
				"apply":                  func() (string, error) { return tf.TryApply(t) },
				"destroy":                func() (string, error) { return tf.TryDestroy(t) },
				"destroy -refresh=false": func() (string, error) { return tf.TryDestroy(t, tfexec.Refresh(false)) },
				"plan -refresh-only":     func() (string, error) { return tf.TryPlan(t, tfexec.RefreshOnly(true)) },
			} {
				out, err := run()
				if err == nil || !strings.Contains(out, "base_url") {
					t.Errorf("%s: error %v, want one that names base_url:\n%s", command, err, acctest.Summary(out))
				}
				if got := len(tf.state()); got != len(resources) {
					t.Fatalf("%s: the state has %d of %d objects left:\n%s", command, got, len(resources), acctest.Summary(out))
				}
			}
			tf.Write(tf.t, "data.tf", "data \"tunnel_group_backend\" \"all\" {\n  id = \"bkdtg_1\"\n}\n")
			if out, err := tf.TryPlan(t); err == nil || !strings.Contains(out, "base_url") {
				t.Errorf("data source: error %v:\n%s", err, acctest.Summary(out))
			}
			tf.Write(tf.t, "data.tf", "")
			tf.Setenv(t, map[string]string{"TUNNEL_BASE_URL": w.URL})
			if after := tf.StateFile(t); after != before {
				t.Errorf("the state has changed from\n%s\nto\n%s", before, after)
			}
			tf.ExpectNoChanges(t)
		})
	}
}

// TestAccGone_createsAnew checks that objects that were deleted out of band are
// planned for creation if the service is known to be the right one.
func TestAccGone_createsAnew(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		remove  []string // resources
		adds    string
		summary string
	}{
		"one object": {remove: []string{"tunnel_group_backend"}, adds: "1 to add"},
		"a module":   {remove: []string{"tunnel_tls_edge_policy"}, adds: "1 to add"},
		"two kinds":  {remove: []string{"tunnel_ssh_credential", "tunnel_event_source", "tunnel_tls_edge_policy"}, adds: "3 to add"},
	} {
		for _, provider := range []string{"", skipCheck} {
			t.Run(fmt.Sprintf("%s, checked %t", name, provider == ""), func(t *testing.T) {
				t.Parallel()
				w := acctest.Start(t)
				tf := newTerraform(t, w.URL, w.AdminKey, provider+oneOfEachShape(t, w))
				tf.Apply(t)
				for path, h := range tf.state() {
					for _, kind := range test.remove {
						if strings.HasPrefix(h.address, kind+".") {
							w.Delete(path)
						}
					}
				}
				if out := tf.Plan(t); !strings.Contains(out, "Plan: "+test.adds+", 0 to change, 0 to destroy") {
					t.Errorf("the plan is\n%s", acctest.Summary(out))
				}
				tf.Apply(t)
				tf.ExpectNoChanges(t)
				tf.Destroy(t)
				if left := w.List(list); len(left) > 0 {
					t.Errorf("%d backends are left", len(left))
				}
			})
		}
	}
}

// TestAccGone_parent deletes parents out of band. Their module and event source
// are planned for creation, and the errors of the creation report the missing
// parents.
func TestAccGone_parent(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf := newTerraform(t, w.URL, w.AdminKey, oneOfEachShape(t, w))
	tf.Apply(t)
	for path := range tf.state() {
		for _, parent := range []string{"/edges/tls/", "/event_subscriptions/"} {
			if rest, ok := strings.CutPrefix(path, parent); ok {
				id, _, _ := strings.Cut(rest, "/")
				w.ForceDelete(parent + id)
			}
		}
	}
	if out := tf.Plan(t); !strings.Contains(out, "Plan: 2 to add, 0 to change, 0 to destroy") {
		t.Errorf("the plan is\n%s", acctest.Summary(out))
	}
	failures, err := tf.apply()
	if err == nil || len(failures) != 2 {
		t.Fatalf("%v", failures)
	}
	for _, f := range failures {
		if f.unknown() || !strings.Contains(f.Detail, "404 Not Found") {
			t.Errorf("%s: %s: %s", f.Address, f.Summary, f.Detail)
		}
	}
	tf.Destroy(t)
}

// TestAccGone_destroy checks that destroying objects that are already deleted
// succeeds.
func TestAccGone_destroy(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf := newTerraform(t, w.URL, w.AdminKey, oneOfEachShape(t, w))
	tf.Apply(t)
	for path := range tf.state() {
		w.Delete(path)
	}
	tf.Setenv(t, map[string]string{"TUNNEL_SKIP_ACCOUNT_VALIDATION": "true"}) // all are gone
	tf.Destroy(t, tfexec.Refresh(false))
	if left := tf.state(); len(left) > 0 {
		t.Errorf("the state still has %v", left)
	}
}
