package chaos

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

func TestADoubtfulCreationIsSettledByTheNextApply(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf := newTerraform(t, w.URL, w.AdminKey, `
provider "tunnel" {
  max_retries = 0
}

resource "tunnel_group_backend" "all" {
  labels = { app = "web" }
}

resource "tunnel_event_source" "all" {
  subscription_id = "`+w.Parents.EventSubscription+`"
  type            = "domain_created.v0"
}

resource "tunnel_tls_edge_policy" "all" {
  edge_id = "`+w.Parents.TLSEdge+`"
}
`)
	w.SetFaults(
		testserver.Fault{Method: http.MethodPost, Kind: testserver.FaultResetAfter},
		testserver.Fault{Method: http.MethodPut, Kind: testserver.FaultResetAfter},
		testserver.Fault{Method: http.MethodGet, Kind: testserver.FaultHTML, Status: 403, Route: "/backends/tunnel_group"},
		testserver.Fault{Method: http.MethodGet, Kind: testserver.FaultHTML, Status: 403, Route: "/event_subscriptions/{subscription_id}/sources"},
	)
	out, err := tf.try("apply", "-auto-approve", "-no-color")
	for _, want := range []string{
		"The tunnel group backend may exist or not", "The event source may exist or not", "The TLS edge policy may exist or not",
		"terraform import tunnel_group_backend.NAME ID",
	} {
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("error %v, without %q:\n%s", err, want, out)
		}
	}
	if held := tf.state(); len(held) != 2 {
		t.Errorf("the state has %v, want what has an address of its own", held)
	}
	w.SetFaults()
	tf.run("apply", "-auto-approve", "-no-color")
	held, made := tf.state(), w.List("/backends/tunnel_group")
	if len(held) != 3 || len(made) != 1 {
		t.Errorf("the state has %v, the service the group backends %v", held, made)
	}
	tf.run("plan", "-detailed-exitcode", "-no-color")
}

func TestSeveralCandidatesAreNamedWithTheirImports(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`)
			w.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`)
			panic(http.ErrAbortHandler)
		}
		w.ServeHTTP(rw, r)
	}))
	t.Cleanup(front.Close)
	tf := newTerraform(t, front.URL, w.AdminKey, `
resource "tunnel_group_backend" "all" {
  labels = { app = "web" }
}
`)
	out, err := tf.try("apply", "-auto-approve", "-no-color")
	if err == nil || len(tf.state()) != 0 {
		t.Errorf("it was taken for created:\n%s", out)
	}
	for _, object := range w.List("/backends/tunnel_group") {
		id, _ := object["id"].(string)
		if want := "terraform import tunnel_group_backend.NAME " + id; !strings.Contains(out, want) {
			t.Errorf("the error does not say %q:\n%s", want, out)
		}
	}
}

func TestAPlanRightAfterAnApplyTakesNothingForGone(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf := newTerraform(t, w.URL, w.AdminKey, `
provider "tunnel" {
  bulk_reads = false
}

resource "tunnel_group_backend" "all" {
  count  = 3
  labels = { app = "web", n = tostring(count.index) }
}

resource "tunnel_event_source" "all" {
  subscription_id = "`+w.Parents.EventSubscription+`"
  type            = "domain_created.v0"
}
`)
	w.SetFaults(testserver.Fault{Kind: testserver.FaultNotFoundAfterCreate, Delay: 4 * time.Second})
	tf.run("apply", "-auto-approve", "-no-color")
	tf.run("plan", "-detailed-exitcode", "-no-color")
	if w.Stats().FaultKinds[testserver.FaultNotFoundAfterCreate] == 0 {
		t.Skip("the machine is too slow: nothing was missing any more")
	}
}
