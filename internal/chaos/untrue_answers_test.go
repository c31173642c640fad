package chaos

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// created returns the ids of the backends that the service has.
func created(w *acctest.Env) []string {
	var ids []string
	for _, object := range w.List(list) {
		ids = append(ids, fmt.Sprint(object["id"]))
	}
	return ids
}

// applied returns a working directory whose backends were applied a minute ago.
func applied(t *testing.T, w *acctest.Env, n int) *terraform {
	t.Helper()
	tf := newTerraform(t, w.URL, w.AdminKey, backends(n, ""))
	tf.Apply(t)
	w.Age(time.Minute)
	return tf
}

// TestAccRead_untrueAnswers checks that no single untrue answer makes the
// provider forget an object, or create another one.
func TestAccRead_untrueAnswers(t *testing.T) {
	t.Parallel()
	get := func(kind testserver.FaultKind, change ...func(*testserver.Fault)) testserver.Fault {
		f := testserver.Fault{Method: http.MethodGet, Route: list + "*", Kind: kind}
		for _, c := range change {
			c(&f)
		}
		return f
	}
	for name, test := range map[string]struct {
		fault testserver.Fault
		fails string // expected in the error of the apply, or "" if it succeeds
	}{
		"one 404":          {fault: get(testserver.FaultNotFoundOnce)},
		"stale page":       {fault: get(testserver.FaultStalePage, func(f *testserver.Fault) { f.Delay = 3 * time.Second })},
		"shortened list":   {fault: get(testserver.FaultShortList)},
		"list lags":        {fault: get(testserver.FaultLagList, func(f *testserver.Fault) { f.Delay = 15 * time.Second })},
		"route lost":       {fault: testserver.Fault{Kind: testserver.FaultLostRoute, Route: list + "*"}, fails: "cannot confirm that the object does not exist"},
		"redirect of GET":  {fault: testserver.Fault{Method: http.MethodGet, Route: list + "/*", Kind: testserver.FaultRedirect}},
		"404 of every GET": {fault: testserver.Fault{Method: http.MethodGet, Route: list + "/*", Kind: testserver.FaultLostRoute}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			tf := applied(t, w, 3)
			w.SetFaults(test.fault)
			out, err := tf.TryApply(t)
			if (err == nil) != (test.fails == "") || test.fails != "" && !strings.Contains(strings.Join(strings.Fields(out), " "), test.fails) {
				t.Errorf("%v\n%s", err, acctest.Summary(out))
			}
			if test.fails != "" {
				if out, err := tf.TryDestroy(t); err == nil {
					t.Errorf("destroy succeeded although nothing was deleted:\n%s", acctest.Summary(out))
				}
			}
			w.SetFaults()
			if n, held := len(created(w)), len(tf.state()); n != 3 || held != 3 {
				t.Errorf("3 wanted, %d made, %d in the state", n, held)
			}
			tf.ExpectNoChanges(t)
			tf.Destroy(t)
			if left := created(w); len(left) > 0 {
				t.Errorf("%v are left", left)
			}
		})
	}
}

// TestAccRead_lagsBehindCreation refreshes objects that a lagging replica does
// not show yet. Nothing is created twice.
func TestAccRead_lagsBehindCreation(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf := newTerraform(t, w.URL, w.AdminKey, backends(3, ""))
	tf.Apply(t)
	w.SetFaults(testserver.Fault{Kind: testserver.FaultLag, Delay: 15 * time.Second, Route: list + "*"})
	out, err := tf.TryApply(t)
	if err != nil && !strings.Contains(strings.Join(strings.Fields(out), " "), "Try again in a minute") {
		t.Errorf("%v\n%s", err, acctest.Summary(out))
	}
	w.SetFaults()
	if n, held := len(created(w)), len(tf.state()); n != 3 || held != 3 {
		t.Errorf("3 wanted, %d made, %d in the state", n, held)
	}
	tf.ExpectNoChanges(t)
}

// TestAccCreate_replayedAnswer checks that a response to another request of this run is
// an unknown outcome, and that no object is in the state twice.
func TestAccCreate_replayedAnswer(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	stranger := w.ForceCreate(list, `{"labels":{"app":"other"},"created_at":"2026-01-01T00:00:00Z"}`)
	tf := newTerraform(t, w.URL, w.AdminKey, backends(4, ""))
	w.SetFaults(testserver.Fault{Method: http.MethodPost, Route: list, Kind: testserver.FaultReplay201})
	// One at a time: a replay needs an answer that is complete.
	failures, _ := tf.apply(tfexec.Parallelism(1))
	w.SetFaults()
	unknown := 0
	for _, f := range failures {
		if f.unknown() {
			unknown++
		}
	}
	if created, held := len(created(w))-1, len(tf.state()); created != 1 || held != 1 || unknown != 3 {
		t.Errorf("4 wanted, %d made, %d in the state, %d errors\n%s", created, held, unknown, tf.summary())
	}
	tf.Destroy(t)
	if !w.Exists(list + "/" + stranger) {
		t.Error("somebody else's object was deleted")
	}
}

// TestAccService_skewedClocks uses a service whose Date and created_at come from
// clocks that differ: objects are created, changed, refreshed after a deletion
// by hand, and deleted.
func TestAccService_skewedClocks(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{90 * time.Second, time.Hour, 26 * time.Hour, -90 * time.Second, -time.Hour, -26 * time.Hour} {
		t.Run(skew.String(), func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			tf := newTerraform(t, w.URL, w.AdminKey, oneOfEachShape(t, w)+"\nresource \"tunnel_failover_backend\" \"kept\" {\n  backends = [tunnel_group_backend.all.id]\n}\n")
			w.SetFaults(testserver.Fault{Kind: testserver.FaultClockSkew, Delay: skew})
			tf.Apply(t)
			tf.ExpectNoChanges(t)
			w.Age(time.Minute) // else the object is new, and a 404 takes longer
			for path, h := range tf.state() {
				if strings.HasPrefix(h.address, "tunnel_ssh_credential.") {
					w.Server.Delete(path)
				}
			}
			if out := tf.Plan(t); !strings.Contains(out, "Plan: 1 to add, 0 to change, 0 to destroy") {
				t.Errorf("the plan is\n%s", acctest.Summary(out))
			}
			tf.Write(t, "main.tf", strings.ReplaceAll(tf.Read(t, "main.tf"), `app = "web"`, `app = "api"`))
			tf.Apply(t)
			tf.ExpectNoChanges(t)
			tf.Destroy(t)
			if left := w.List(list); len(left) > 0 {
				t.Errorf("%d backends are left", len(left))
			}
		})
	}
}

// TestAccCreate_lostOnSkewedClocks loses answers of a service whose Date and
// created_at come from clocks 90 seconds apart.
func TestAccCreate_lostOnSkewedClocks(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf := newTerraform(t, w.URL, w.AdminKey, backends(2, ""))
	w.SetFaults(
		testserver.Fault{Method: http.MethodPost, Route: list, Kind: testserver.FaultResetAfter},
		testserver.Fault{Method: http.MethodGet, Route: list, Kind: testserver.FaultClockSkew, Delay: 90 * time.Second},
	)
	failures, _ := tf.apply()
	if o := outcomeOf(t, w, tf, 2, 0, failures); o.named != 2 || o.created != 2 {
		t.Errorf("%s\n%s", o, tf.summary())
	}
}

// TestAccCreate_resetStream processes each creation and then resets its HTTP/2
// stream. Each POST makes one object, which an error names.
func TestAccCreate_resetStream(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"protocol_error", "refused_stream", "goaway"} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t, testserver.WithTLS())
			tf := newTerraform(t, w.URL, w.AdminKey, backends(2, ""))
			tf.Write(t, "ca.pem", w.Certificate)
			tf.Setenv(t, map[string]string{
				"SSL_CERT_FILE": tf.Dir + "/ca.pem", "HOME": tf.Dir, "XDG_CACHE_HOME": tf.Dir + "/cache", "TUNNEL_BASE_URL": w.URL, "TUNNEL_API_KEY": w.AdminKey,
			})
			w.SetFaults(testserver.Fault{Method: http.MethodPost, Route: list, Kind: testserver.FaultResetStreamAfter, Code: code, Count: 500})
			// One at a time: GOAWAY ends other POSTs on the connection before they are
			// complete.
			failures, _ := tf.apply(tfexec.Parallelism(1))
			o := outcomeOf(t, w, tf, 2, 0, failures)
			if o.created != 2 || o.named != 2 {
				t.Errorf("%s\n%s", o, tf.summary())
			}
		})
	}
}

// TestAccCreate_sameModuleTwice manages one module with two resources of one
// configuration. One of them fails, in every run.
func TestAccCreate_sameModuleTwice(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf := newTerraform(t, w.URL, w.AdminKey, `
resource "tunnel_tls_edge" "e" {
  hostports = ["www.example.com:443"]
}

resource "tunnel_http_response_backend" "b" {
  count = 2
}

resource "tunnel_tls_edge_backend" "m" {
  count      = 2
  edge_id    = tunnel_tls_edge.e.id
  backend_id = tunnel_http_response_backend.b[count.index].id
}
`)
	failures, _ := tf.apply()
	if len(failures) != 1 || !strings.Contains(failures[0].Detail, "Another resource in this run creates the TLS edge backend") && !strings.Contains(failures[0].Summary, "already exists") {
		t.Errorf("%+v\n%s", failures, tf.summary())
	}
}

// TestAccCreate_renamedKeys renames the for_each keys of credentials and
// policies without moved blocks. After a second apply, nothing is missing.
func TestAccCreate_renamedKeys(t *testing.T) {
	t.Parallel()
	const n = 6
	w := acctest.Start(t)
	keys := make([]string, n)
	for i := range keys {
		keys[i] = testcert.PublicKey(t, "")
	}
	quoted, err := json.Marshal(keys)
	if err != nil {
		t.Fatal(err)
	}
	tf := newTerraform(t, w.URL, w.AdminKey, fmt.Sprintf(`
locals {
  keys = { for i, key in %s : "a${i}" => key }
}

resource "tunnel_ssh_credential" "c" {
  for_each   = local.keys
  public_key = each.value
}

resource "tunnel_tls_edge" "e" {
  count     = %d
  hostports = ["e${count.index}.example.com:443"]
}

resource "tunnel_tls_edge_policy" "p" {
  for_each = { for i in range(%d) : "a${i}" => i }
  edge_id  = tunnel_tls_edge.e[each.value].id
  inbound  = [{ expressions = ["true"], actions = [{ type = "deny" }] }]
}
`, quoted, n, n))
	tf.Apply(t)
	tf.Write(t, "main.tf", strings.ReplaceAll(tf.Read(t, "main.tf"), `"a${i}"`, `"b${i}"`))
	failures, _ := tf.apply()
	for _, f := range failures {
		if f.Address != "" && !strings.Contains(f.Detail, "apply again") {
			t.Errorf("the error does not say what to do: %+v", f)
		}
	}
	if len(failures) > 0 {
		tf.Apply(t)
	}
	t.Logf("%d of %d creations needed a second apply", len(failures), 2*n)
	policies := 0
	for _, edge := range w.List("/edges/tls") {
		if edge["policy"] != nil {
			policies++
		}
	}
	if credentials := len(w.List("/ssh_credentials")); credentials != n || policies != n {
		t.Errorf("%d credentials and %d policies, want %d each", credentials, policies, n)
	}
	tf.ExpectNoChanges(t)
}
