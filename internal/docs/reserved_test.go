package docs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"
	tfjson "github.com/hashicorp/terraform-json"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestAccExamples_requireReserved runs the whole examples and those of the edges with a
// service that accepts only reserved domains and addresses: apply in an empty account,
// import into an empty state without changes, and destroy. The other tests run
// them without that rule.
func TestAccExamples_requireReserved(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T, *acctest.Env) *acctest.Terraform{
		"complete": func(t *testing.T, w *acctest.Env) *acctest.Terraform {
			return terraform(t, w, read(t, "complete/main.tf"))
		},
		"demo": func(t *testing.T, w *acctest.Env) *acctest.Terraform {
			chain, key := testcert.Certificate(t, "www.example.com")
			return demo(t, w, chain, key)
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
			tf.Apply(t)
			tf.ExpectNoChanges(t)
			if name == "demo" {
				hasEachKind(t, tf)
			}
			importAll(t, w, tf)
			tf.Destroy(t)
			if after := w.Paths(); len(after) != before {
				t.Errorf("%d objects existed before, now there are %v", before, after)
			}
		})
	}
}

// hasEachKind checks that the demo shows all kinds of objects, as it says.
func hasEachKind(t *testing.T, tf *acctest.Terraform) {
	t.Helper()
	resources := tf.State(t).Values.RootModule.Resources
	for _, kind := range acctest.Kinds {
		if !slices.ContainsFunc(resources, func(r *tfjson.StateResource) bool { return r.Type == kind.Type }) {
			t.Errorf("examples/demo/main.tf has no %s", kind.Type)
		}
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

// importAll removes all resources from the state and imports them with the same
// configuration. An import may only add the settings that the service does not
// have to the state: nothing may change at the service.
func importAll(t *testing.T, w *acctest.Env, tf *acctest.Terraform) {
	t.Helper()
	var blocks strings.Builder
	remove := []string{"state", "rm"}
	root := tf.State(t).Values.RootModule
	resources := root.Resources
	for _, module := range root.ChildModules {
		resources = append(resources, module.Resources...)
	}
	for _, resource := range resources {
		kind := acctest.KindOf(t, resource.Type)
		keys := map[string]string{}
		for _, key := range kind.Keys() {
			keys[key], _ = resource.AttributeValues[key].(string)
		}
		fmt.Fprintf(&blocks, "import {\n  to = %s\n  id = %q\n}\n", resource.Address, kind.ImportID(keys))
		remove = append(remove, resource.Address)
	}
	tf.Run(t, remove...)
	tf.Write(t, "import.tf", blocks.String())
	w.ResetStats()
	out := tf.Plan(t, tfexec.Out("import.plan"))
	if !strings.Contains(out, fmt.Sprintf("Plan: %d to import, 0 to add, ", len(remove)-2)) || !strings.Contains(out, ", 0 to destroy") {
		t.Errorf("the import changes something:\n%s", acctest.Summary(out))
	}
	for _, changed := range regexp.MustCompile(`# (?:module\.\w+\.)?(\w+)\.\S+ will be updated`).FindAllStringSubmatch(out, -1) {
		if len(acctest.KindOf(t, changed[1]).ResourceOnly) == 0 {
			t.Errorf("the import changes a %s:\n%s", changed[1], acctest.Summary(out))
		}
	}
	tf.Apply(t, tfexec.DirOrPlan("import.plan"))
	for request, n := range w.Stats().Requests {
		if !strings.HasPrefix(request, http.MethodGet) {
			t.Errorf("the import sent %d times %s", n, request)
		}
	}
	tf.ExpectNoChanges(t)
}

// TestAccRotationGuide_domainAlwaysHasACertificate replaces the certificate of
// the guide, and asks the service for the certificate of the domain all the
// time.
func TestAccRotationGuide_domainAlwaysHasACertificate(t *testing.T) {
	t.Parallel()
	w, ids := startServer(t, testserver.WithBehavior("delay=30ms"))
	tf := terraform(t, w, substituteIDs(t, read(t, "guides/rotation/main.tf"), ids))
	tf.Apply(t)
	domain := "/reserved_domains/" + fmt.Sprint(w.List("/reserved_domains")[0]["id"])
	old := certificateOf(t, w, domain)

	writeCertificate(t, tf, ".")
	tf.SetVariables(t, map[string]any{"key_version": 2})
	tf.Plan(t, tfexec.Out("rotation.plan"))
	done := make(chan struct{})
	var polled sync.WaitGroup
	var seen []string
	polled.Go(func() {
		for {
			seen = append(seen, certificateOf(t, w, domain))
			select {
			case <-done:
				return
			default:
			}
		}
	})
	tf.Apply(t, tfexec.DirOrPlan("rotation.plan"))
	close(done)
	polled.Wait()

	seen = slices.Compact(seen)
	if len(seen) != 2 || seen[0] != old || seen[1] == old {
		t.Errorf("the domain had the certificates %q, want %s and then a new one", seen, old)
	}
	if left := w.List("/tls_certificates"); len(left) != 1 || left[0]["id"] != seen[len(seen)-1] {
		t.Errorf("the account has the certificates %v", left)
	}
	tf.ExpectNoChanges(t)
	tf.Destroy(t)
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
	uploaded, err := json.Marshal(map[string]string{"certificate_pem": chain, "private_key_pem": key})
	if err != nil {
		t.Fatal(err)
	}
	id := w.Create("/tls_certificates", string(uploaded))
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
	if now := certificateOf(t, w, domain); now != id {
		t.Errorf("the domain has the certificate %s, want %s", now, id)
	}
	tf.ExpectNoChanges(t)
}

// certificateOf asks the API for a domain and then for its certificate, and
// returns the id of the certificate. The certificate must exist, unless the
// domain has another one by then.
func certificateOf(t *testing.T, w *acctest.Env, domain string) string {
	t.Helper()
	id := ""
	for {
		var answer struct {
			Certificate *struct{ ID string }
		}
		if status := get(t, w, domain, &answer); status != http.StatusOK || answer.Certificate == nil {
			t.Errorf("GET %s: status %d, certificate %v", domain, status, answer.Certificate)
			return ""
		}
		if answer.Certificate.ID == id {
			t.Errorf("the certificate %s of the domain does not exist", id)
			return ""
		}
		id = answer.Certificate.ID
		if get(t, w, "/tls_certificates/"+id, &struct{}{}) == http.StatusOK {
			return id
		}
	}
}

// get sends a GET request to the API as a client and returns the status.
func get(t *testing.T, w *acctest.Env, path string, into any) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.URL+path, nil)
	if err != nil {
		t.Error(err)
		return 0
	}
	request.Header.Set("Authorization", "Bearer "+w.AdminKey)
	request.Header.Set("Service-Version", "2")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		t.Error(err)
	}
	return response.StatusCode
}
