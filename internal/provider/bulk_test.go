package provider_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// An object is a state that a test refreshes.
type object struct {
	kind     acctest.Kind
	state    tftypes.Value
	identity *tfprotov6.ResourceIdentityData
}

// objects returns the states of all objects of the server.
func objects(t *testing.T, w *acctest.Env) []object {
	t.Helper()
	p := w.Protocol(t)
	var all []object
	for _, kind := range acctest.Kinds {
		for _, listed := range p.List(kind.Type, 0, nil) {
			all = append(all, object{kind, listed.Resource, listed.Identity})
		}
	}
	return all
}

// refresh reads objects with a new provider, ten at once like Terraform. The
// test fails if a state changes. It returns the number of requests.
func refresh(t *testing.T, w *acctest.Env, all []object) int {
	t.Helper()
	p := w.Protocol(t)
	w.ResetStats()
	next := make(chan object)
	var readers sync.WaitGroup
	for range 10 {
		readers.Go(func() {
			for o := range next {
				state := p.Dynamic(o.state)
				resp, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: o.kind.Type, CurrentState: state, CurrentIdentity: o.identity})
				if err != nil || len(resp.Diagnostics) > 0 || !p.Value(p.Type(o.kind.Type), resp.NewState).Equal(o.state) {
					t.Errorf("refresh of %s: %v, %+v", o.kind.Type, err, resp)
				}
			}
		})
	}
	for _, i := range rand.New(rand.NewPCG(1, 0)).Perm(len(all)) {
		next <- all[i]
	}
	close(next)
	readers.Wait()
	return w.Stats().Total
}

// createLargeAccount creates objects of all kinds, mostly modules.
func createLargeAccount(t *testing.T, w *acctest.Env, edges int) {
	t.Helper()
	backend := quoted(body{"backend_id": w.Create("/backends/http_response", "{}")})
	rules := `{"inbound": [{"name": "deny", "expressions": ["true"], "actions": [{"type": "deny"}]}]}`
	for range edges {
		for _, edge := range []string{"/edges/tls/" + w.Create("/edges/tls", "{}"), "/edges/tcp/" + w.Create("/edges/tcp", "{}")} {
			w.Put(edge+"/policy", rules)
			w.Put(edge+"/backend", backend)
		}
		edge := w.Create("/edges/https", "{}")
		route := fmt.Sprintf("/edges/https/%s/routes/%s", edge, w.Create("/edges/https/"+edge+"/routes", `{"match_type": "path_prefix", "match": "/"}`))
		w.Put(route+"/backend", backend)
		w.Put(route+"/compression", `{}`)
		w.Put(route+"/websocket_tcp_converter", `{"enabled": false}`)
		subscription := w.Create("/event_subscriptions", "{}")
		for _, event := range []string{"ip_policy_created.v0", "ip_policy_updated.v0"} {
			w.Create("/event_subscriptions/"+subscription+"/sources", quoted(body{"type": event}))
		}
	}
	for _, kind := range acctest.Kinds {
		if !kind.HasParent() {
			for range edges / 4 {
				kind.CreateIn(t, w, nil)
			}
		}
	}
}

func TestBulkReads_accountOfAllKinds(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	createLargeAccount(t, w, 180)
	all := objects(t, w)
	if len(all) < 3000 {
		t.Fatalf("the account has %d objects, want at least 3000", len(all))
	}
	if requests := refresh(t, w, all); requests > 40 {
		t.Errorf("a refresh of %d objects took %d requests, want at most 40: %v", len(all), requests, w.Stats().Requests)
	}
	seen := map[string]bool{} // a small configuration in a large account does not read the whole account
	for _, o := range all {
		if !o.kind.HasParent() || seen[o.kind.Type] {
			continue
		}
		seen[o.kind.Type] = true
		if requests := refresh(t, w, []object{o}); requests > 3 { // one checks the credentials
			t.Errorf("a refresh of one %s took %d requests, want at most 3: %v", o.kind.Type, requests, w.Stats().Requests)
		}
	}
}

// A list page that hangs and the GET after it share one operation_timeout.
func TestRead_takesOneOperationTimeout(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	id := w.Create("/backends/tunnel_group", `{"labels":{}}`)
	state, _ := w.Protocol(t).Import("tunnel_group_backend", id, nil)
	p := acctest.NewProtocol(t)
	p.Configure(map[string]tftypes.Value{
		"base_url": acctest.Text(w.URL), "api_key": acctest.Text(w.AdminKey), "operation_timeout": acctest.Text("200ms"), "skip_credentials_validation": tftypes.NewValue(tftypes.Bool, true),
	})
	w.ResetStats()
	w.SetRules(testserver.Rule{Behavior: "delay=1h", Route: "/backends/tunnel_group"})
	resp, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: "tunnel_group_backend", CurrentState: p.Dynamic(state)})
	if err != nil {
		t.Fatal(err)
	}
	acctest.Expect(t, resp.Diagnostics, tfprotov6.DiagnosticSeverityError, nil, "did not finish within 200ms (operation_timeout)")
	if gets := w.Stats().Requests["GET /backends/tunnel_group/{id}"]; gets != 0 {
		t.Errorf("%d GETs were sent after the end of the operation", gets)
	}
}
