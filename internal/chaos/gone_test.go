package chaos

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// shapes contains at least one kind of each shape: with and without a natural
// key, with a parent, with settings that only the provider knows, and modules.
var shapes = []string{
	"tunnel_group_backend", "tunnel_ssh_credential", "tunnel_ssh_host_certificate", "tunnel_failover_backend",
	"tunnel_https_edge_route", "tunnel_event_source", "tunnel_tls_edge_policy", "tunnel_https_edge_route_compression",
}

// answer returns a handler that gives the same response to every request.
func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// TestGone_notWithoutProof checks that a service that may be the wrong one never
// makes the provider remove objects from the state: a refresh and a destroy fail for
// every object, and no object is forgotten or deleted.
func TestGone_notWithoutProof(t *testing.T) {
	t.Parallel()
	notFound := answer(http.StatusNotFound, `{"error_code":"ERR_TUNNEL_404","status_code":404,"msg":"not found","details":{}}`)
	for name, stub := range map[string]func(w *acctest.Env) http.HandlerFunc{
		"base_url with a wrong path": func(w *acctest.Env) http.HandlerFunc {
			return func(rw http.ResponseWriter, r *http.Request) {
				r.URL.Path = "/v1" + r.URL.Path
				w.ServeHTTP(rw, r)
			}
		},
		"404 to everything":      func(*acctest.Env) http.HandlerFunc { return notFound },
		"HTML 404 to everything": func(*acctest.Env) http.HandlerFunc { return http.NotFound },
		"200 {} to GET, 404 to DELETE": func(*acctest.Env) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodDelete {
					http.NotFound(w, r)
					return
				}
				answer(http.StatusOK, `{}`)(w, r)
			}
		},
		"404 to objects, 403 to lists": func(*acctest.Env) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if strings.Count(r.URL.Path, "/") < 3 && !strings.Contains(r.URL.Path, "_") || strings.HasSuffix(r.URL.Path, "s") {
					answer(http.StatusForbidden, `{"msg":"not allowed"}`)(w, r)
					return
				}
				notFound(w, r)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// A 404 for an object that is younger than 30 seconds only takes longer.
			w := acctest.Start(t, testserver.WithClock(func() time.Time { return time.Now().Add(-time.Minute) }))
			sim := newSimulator(t, w, map[string]tftypes.Value{"max_retries": acctest.Number(1)})
			config := map[string]resourceConfig{}
			for _, kind := range kindsOf(shapes) {
				_, arguments := kind.Configuration(t, w)
				config[kind.Type] = resourceConfig{Type: kind.Type, Arguments: arguments}
			}
			sim.mustApply(config)
			before, objects := maps.Clone(sim.state), w.Paths()
			front := httptest.NewServer(stub(w))
			t.Cleanup(front.Close)
			sim.arguments["base_url"] = acctest.Text(front.URL)
			for what, errors := range map[string]map[string]string{
				"refresh": sim.Plan(config).Errors, "destroy": sim.planAll(nil, false).Apply(),
			} {
				if len(errors) != len(config) || !strings.Contains(fmt.Sprint(errors), "base_url") {
					t.Errorf("%s: want an error for each object, and one that names base_url, got %q", what, errors)
				}
			}
			_, found := sim.provider().TryDataSource("tunnel_group_backend", map[string]tftypes.Value{"id": acctest.Text("bkdtg_1")})
			if errorText(found) == "" {
				t.Error("the data source has no error")
			}
			if !maps.EqualFunc(before, sim.state, func(a, b instance) bool { return a.value.Equal(b.value) }) {
				t.Errorf("the state has changed from %v to %v", before, sim.state)
			}
			if now := w.Paths(); !slices.Equal(now, objects) {
				t.Errorf("the service had %v, and has %v", objects, now)
			}
		})
	}
}

// TestRead_untrueAnswers checks that no single untrue answer makes the provider
// forget an object, or create another one.
func TestRead_untrueAnswers(t *testing.T) {
	t.Parallel()
	get := func(behavior, route string) testserver.Rule {
		return testserver.Rule{Behavior: behavior, Method: http.MethodGet, Route: route}
	}
	once := get("404", list+"*")
	once.Count = 1
	for name, test := range map[string]struct {
		fault testserver.Rule
		fails string // expected in each error of the refresh, or "" if it succeeds
	}{
		"one 404":          {fault: once},
		"shortened list":   {fault: get("short_list", list)},
		"list lags":        {fault: get("lag=15s", list)},
		"redirect of GET":  {fault: get("redirect", list+"/*")},
		"404 of every GET": {fault: get("404", list+"/*")},
		"route lost": {
			fault: testserver.Rule{Behavior: "404", Route: list + "*"}, fails: "cannot confirm that the object does not exist",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			sim, config := newSimulator(t, w, nil), threeBackends()
			sim.mustApply(config)
			w.Age(time.Minute)
			w.SetRules(test.fault)
			errors := sim.Apply(config)
			for address := range config {
				if (errors[address] == "") != (test.fails == "") || !strings.Contains(errors[address], test.fails) {
					t.Errorf("%s: want %q, got %q", address, test.fails, errors[address])
				}
			}
			if test.fails != "" && len(sim.planAll(nil, false).Apply()) != len(config) {
				t.Error("destroy succeeded although nothing was deleted")
			}
			w.SetRules()
			if n, held := len(w.List(list)), len(sim.state); n != 3 || held != 3 {
				t.Errorf("3 wanted, %d made, %d in the state", n, held)
			}
			if plan := sim.Plan(config); len(plan.Changes)+len(plan.Errors) > 0 {
				t.Errorf("the next plan is not empty: %v %v", plan.Changes, plan.Errors)
			}
			sim.mustApply(nil)
			if left := w.List(list); len(left) > 0 {
				t.Errorf("%v are left", left)
			}
		})
	}
}

// threeBackends returns a configuration of identical backends.
func threeBackends() map[string]resourceConfig {
	config := map[string]resourceConfig{}
	labels := tftypes.Map{ElementType: tftypes.String}
	for _, address := range []string{"a", "b", "c"} {
		config[address] = resourceConfig{Type: "tunnel_group_backend", Arguments: map[string]tftypes.Value{
			"labels": tftypes.NewValue(labels, map[string]tftypes.Value{"app": acctest.Text("web")}),
		}}
	}
	return config
}

// mustApply applies a configuration, and fails the test if there is an error.
func (c *simulator) mustApply(config map[string]resourceConfig) {
	c.t.Helper()
	if errors := c.Apply(config); len(errors) > 0 {
		c.t.Fatal(errors)
	}
}

// kindsOf returns the kinds with the given types.
func kindsOf(names []string) []acctest.Kind {
	return slices.DeleteFunc(slices.Clone(acctest.Kinds), func(kind acctest.Kind) bool { return !slices.Contains(names, kind.Type) })
}
