package docs

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestAccExamples_requireReserved runs the whole examples and those of the edges with a
// service that accepts only reserved domains and addresses. The other tests run them
// without that rule. The demo shows all kinds of objects, as it says.
func TestAccExamples_requireReserved(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T, *acctest.Env) *acctest.Terraform{
		"complete": func(t *testing.T, w *acctest.Env) *acctest.Terraform {
			return terraform(t, w, read(t, "complete/main.tf"))
		},
		"demo": func(t *testing.T, w *acctest.Env) *acctest.Terraform {
			tf := terraform(t, w, read(t, "demo/main.tf"))
			writeDemoFiles(t, tf)
			return tf
		},
		"edges": func(t *testing.T, w *acctest.Env) *acctest.Terraform {
			return modules(t, w, nil, glob(t, "resources/tunnel_*_edge/resource*.tf"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := startServer(t, testserver.WithBehavior("require_reserved"))
			before := len(w.Paths())
			tf := start(t, w)
			nothingOpened(t, w, func() { tf.Apply(t) })
			tf.ExpectNoChanges(t)
			if name == "demo" {
				resources := tf.State(t).Values.RootModule.Resources
				for _, kind := range acctest.Kinds {
					if !slices.ContainsFunc(resources, func(r *tfjson.StateResource) bool { return r.Type == kind.Type }) {
						t.Errorf("examples/demo/main.tf has no %s", kind.Type)
					}
				}
			}
			tf.Destroy(t)
			if after := w.Paths(); len(after) != before {
				t.Errorf("%d objects existed before, now there are %v", before, after)
			}
		})
	}
}

// TestAccExamples_edgesAreClosedWithoutPolicy checks that an edge for one network gets
// no traffic if the service refuses its policy, because an edge without a policy lets
// everybody in.
func TestAccExamples_edgesAreClosedWithoutPolicy(t *testing.T) {
	t.Parallel()
	for kind, edges := range map[string]string{"tunnel_tls_edge": "/edges/tls", "tunnel_tcp_edge": "/edges/tcp"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w, _ := startServer(t)
			before := w.List(edges)
			tf := terraform(t, w, read(t, "resources/"+kind+"/resource_office_network.tf"))
			w.SetRules(testserver.Rule{Behavior: "500", Method: http.MethodPut, Route: edges + "/{id}/policy"})
			if out, err := tf.TryApply(t); err == nil {
				t.Fatalf("the apply succeeds:\n%s", out)
			}
			all := w.List(edges)
			if len(all) != len(before)+1 {
				t.Fatalf("%d edges exist, want one more than %d", len(all), len(before))
			}
			for _, edge := range all {
				if edge["backend"] != nil {
					t.Errorf("the edge %v has a backend, and the policy %v", edge["id"], edge["policy"])
				}
			}
		})
	}
}

// TestAccRotationGuide_certificateMustCoverDomain checks that the precondition of the
// guide makes a certificate for another host an error of the plan.
func TestAccRotationGuide_certificateMustCoverDomain(t *testing.T) {
	t.Parallel()
	w, ids := startServer(t)
	tf := terraform(t, w, substituteIDs(t, read(t, "guides/rotation/main.tf"), ids))
	chain, key := testcert.Certificate(t, "other.example.com")
	tf.Write(t, "www.example.com.pem", chain)
	tf.Write(t, "www.example.com.key", key)
	out, err := tf.TryPlan(t)
	if err == nil || !acctest.InError("Error: Resource precondition failed", "does not cover www.example.com").MatchString(out) {
		t.Errorf("expected an error, got %v:\n%s", err, acctest.Summary(out))
	}
}

// TestAccRotationGuide_keepsReplacementByHand replaces the certificate of the domain
// without Terraform, and follows the guide.
func TestAccRotationGuide_keepsReplacementByHand(t *testing.T) {
	t.Parallel()
	w, ids := startServer(t)
	tf := terraform(t, w, substituteIDs(t, read(t, "guides/rotation/main.tf"), ids))
	tf.Apply(t)
	domain := "/reserved_domains/" + fmt.Sprint(w.List("/reserved_domains")[0]["id"])
	chain, key := testcert.Certificate(t, "www.example.com")
	id := uploadPEM(t, w, chain, key)
	w.Edit(domain, fmt.Sprintf(`{"certificate_id": %q}`, id))

	tf.Write(t, "www.example.com.pem", chain)
	tf.Write(t, "www.example.com.key", key)
	tf.Run(t, "state", "rm", "tunnel_tls_certificate.www")
	tf.Write(t, "import.tf", fmt.Sprintf("import {\n  to = tunnel_tls_certificate.www\n  id = %q\n}\n", id))
	for at, action := range tf.PlannedActions(t) {
		if want := map[string]string{"tunnel_tls_certificate.www": "update"}[at]; action != cmp.Or(want, "no-op") {
			t.Errorf("the plan of %s is %s", at, action)
		}
	}
	if out := tf.Apply(t); !acctest.InError("1 imported, 0 added, 1 changed, 0 destroyed").MatchString(out) {
		t.Error(acctest.Summary(out))
	}
	if now, _ := w.Get(domain)["certificate"].(map[string]any); now["id"] != id {
		t.Errorf("the domain has the certificate %v, want %s", now, id)
	}
	tf.ExpectNoChanges(t)
}
