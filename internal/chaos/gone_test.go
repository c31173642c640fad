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
				"refresh": sim.plan(config, true).errors, "destroy": sim.plan(nil, false).apply(),
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

// kindsOf returns the kinds with the given types.
func kindsOf(names []string) []acctest.Kind {
	return slices.DeleteFunc(slices.Clone(acctest.Kinds), func(kind acctest.Kind) bool { return !slices.Contains(names, kind.Type) })
}
