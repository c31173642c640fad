package testserver

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
)

// handlerTransport is a transport whose requests go to a handler in this process, with
// the rule that they test in their context.
type handlerTransport struct {
	http.Handler

	run *conformance.Run
}

func (h *handlerTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), ruleKey{}, h.run.Current)))
	return w.Result(), nil
}

type ruleKey struct{}

// ruleOf returns the rule that a request tests. Its name is empty for requests that only
// prepare or look at something. Tests can break a single rule.
func ruleOf(r *http.Request) conformance.Result {
	rule, _ := r.Context().Value(ruleKey{}).(conformance.Result)
	return rule
}

// differences returns the results that differ from openapi.yaml.
func differences(run *conformance.Run) (all []conformance.Result) {
	for _, result := range run.Results {
		if result.Status == conformance.Differs || result.Status == conformance.Otherwise {
			all = append(all, result)
		}
	}
	return all
}

// newConformance returns a run against a handler in front of a server.
func newConformance(s *Server, handler http.Handler, changes ...func(*conformance.Config)) *conformance.Run {
	transport := &handlerTransport{Handler: handler}
	config := conformance.Config{
		Document: apiContract(), Base: "http://localhost", Transport: transport,
		Key: s.AdminKey, ReadOnlyKey: s.ReadOnlyKey, Mark: "text", Throwaway: true,
	}
	for _, change := range changes {
		change(&config)
	}
	transport.run = conformance.New(context.Background(), config)
	return transport.run
}

// TestConformance_allVariants derives valid and invalid requests from the
// document, for every route and field, and checks the status and details.field
// of each response.
func TestConformance_allVariants(t *testing.T) {
	t.Parallel()
	run := allVariants(t)
	for _, result := range run.Results {
		if result.Status != conformance.Agrees {
			t.Error(result)
		}
	}
	for _, violation := range measured.violations {
		t.Errorf("contract: %v", violation)
	}
	t.Logf("%d variants, %d requests", len(run.Results), run.Requests)
	if len(run.Results) < 5000 {
		t.Errorf("there are only %d variants", len(run.Results))
	}
}

// TestConformance_marksEverything checks, for an account that is not thrown away, that
// each object has the mark, and that each change is to an object that the run has made.
func TestConformance_marksEverything(t *testing.T) {
	t.Parallel()
	const mark = "tunnel-verify-abcdefghijklmnop"
	s, made, changes := New(), map[string]bool{}, 0
	front := anyResponse(func(r *http.Request, w *httptest.ResponseRecorder) {
		if w.Code >= http.StatusBadRequest || r.Method == http.MethodGet {
			return
		}
		changes++
		path := r.URL.Path
		parts := strings.Split(strings.Trim(strings.NewReplacer("/backends/", "/backends:", "/edges/", "/edges:").Replace(path), "/"), "/")
		if r.Method == http.MethodPost && len(parts) == 1 {
			made[parts[0]+"/"+decodeAnswer(w.Body.Bytes())["id"].(string)] = true
			if !strings.Contains(w.Body.String(), mark) {
				t.Errorf("POST %s made an object without the mark: %s", path, w.Body)
			}
		} else if len(parts) < 2 || !made[parts[0]+"/"+parts[1]] {
			t.Errorf("%s %s changed an object of others", r.Method, path)
		}
	})(s)
	run := newConformance(s, front, func(c *conformance.Config) { c.Mark, c.Throwaway = mark, false })
	if err := run.All(); err != nil {
		t.Error(err, differences(run))
	}
	if err := run.Clean(context.Background()); err != nil || changes < 500 {
		t.Errorf("%v after %d changes", err, changes)
	}
}

var measured struct {
	once       sync.Once
	run        *conformance.Run
	violations []error
}

// allVariants sends all variants to a server, once for all tests.
func allVariants(t *testing.T) *conformance.Run {
	t.Helper()
	measured.once.Do(func() {
		s := New(WithContractCheck(func(err error) { measured.violations = append(measured.violations, err) }))
		measured.run = newConformance(s, s)
		if err := measured.run.All(); err != nil {
			t.Error(err)
		}
	})
	return measured.run
}

// runKind returns the results of a run for one kind that do not agree, and why the run
// is incomplete.
func runKind(t *testing.T, kind string, broken func(*Server) http.Handler) (differ, incomplete []conformance.Result) {
	t.Helper()
	s := New()
	run := newConformance(s, broken(s), func(c *conformance.Config) {
		c.Throwaway, c.Only = false, func(route string) bool { return strings.HasPrefix(route, kind) }
	})
	if err := run.All(); err != nil {
		t.Error(err)
	}
	for _, result := range run.Results {
		if result.Open {
			incomplete = append(incomplete, result)
		}
	}
	_ = run.Clean(context.Background())
	return differences(run), incomplete
}

// status returns a service that answers with another status.
func status(method, in string, old, by int) func(*Server) http.Handler {
	return anyResponse(func(r *http.Request, w *httptest.ResponseRecorder) {
		if r.Method == method && strings.Contains(r.URL.Path, in) && w.Code == old {
			w.Code = by
			w.Body = bytes.NewBufferString(strings.Replace(w.Body.String(), fmt.Sprintf(`"status_code":%d`, old), fmt.Sprintf(`"status_code":%d`, by), 1))
		}
	})
}

// TestConformance_oneCauseIsOneResult checks that one decision of a service that makes
// many rules differ is one result, and that the other rules are judged without it.
func TestConformance_oneCauseIsOneResult(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		kind, want string
		broken     func(*Server) http.Handler
	}{
		"a member has another type": {groups, "labels: differs: ", inResponse("", groups, replaced(`"labels":{`, `"labels":7,"x":{`))},
		"a time has another form":   {groups, "created_at: differs: ", inResponse("", groups, replaced(`"created_at":"20`, `"created_at":"on 20`))},
		"a member is missing":       {groups, "created_at: differs: ", inResponse("", groups, replaced(`"created_at"`, `"made_at"`))},
		"texts are in upper case":   {groups, "metadata: differs: expected metadata as sent", inResponse("", groups, replaced(`"metadata":"text`, `"metadata":"TEXT`))},
		"a PATCH stores no metadata": {groups, "metadata: differs: expected a GET after it that shows metadata as sent", around("PATCH", groups,
			func(s *Server, r *http.Request, _ string, serve serving) *httptest.ResponseRecorder {
				old := decodeAnswer(inner(s, "GET", r.URL.Path, "").Body.Bytes())
				got := serve()
				inner(s, "PATCH", r.URL.Path, asJSON(map[string]any{"metadata": text(old["metadata"])}))
				return got
			})},
		"all refusals are 422":       {groups, ": otherwise: expected status 400, found status 422", status("POST", "", 400, 422)},
		"a creation is 200":          {groups, ": differs: expected status 201, found status 200", status("POST", "", 201, 200)},
		"fields in another notation": {credentials, "details.field: otherwise", inErrors(replaced(`"field":"`, `"field":"/`))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			differ, incomplete := runKind(t, test.kind, test.broken)
			if len(differ) != 1 || !strings.Contains(differ[0].String(), test.want) || len(differ[0].Rules) < 2 {
				t.Fatalf("%d results: %v", len(differ), differ)
			}
			if differ[0].Request == "" || len(incomplete) > 0 {
				t.Errorf("request %q, incomplete: %v", differ[0].Request, incomplete)
			}
		})
	}
}

// inErrors changes the text of errors.
func inErrors(change func(string) string) func(*Server) http.Handler {
	return anyResponse(func(_ *http.Request, w *httptest.ResponseRecorder) {
		if w.Code >= http.StatusBadRequest {
			w.Body = bytes.NewBufferString(change(w.Body.String()))
		}
	})
}

// TestConformance_notOffered checks that a module or an operation that a service does
// not have is one result.
func TestConformance_notOffered(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		kind, want string
		has        func(r *http.Request) bool
	}{
		"module":    {"/edges/tcp", "PUT /edges/tcp/{id}/policy, the service offers the module", func(r *http.Request) bool { return !strings.HasSuffix(r.URL.Path, "/policy") }},
		"operation": {credentials, "PATCH /ssh_credentials/{id}, the service offers the operation", func(r *http.Request) bool { return r.Method != http.MethodPatch }},
		// Nothing of a kind is open because of another kind that it can refer to.
		"reference": {"/reserved_domains", "", func(r *http.Request) bool { return !strings.HasPrefix(r.URL.Path, "/tls_certificates") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			differ, incomplete := runKind(t, test.kind, func(s *Server) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if !test.has(r) {
						r.URL.Path = "/unknown"
					}
					s.ServeHTTP(w, r)
				})
			})
			if open := fmt.Sprint(incomplete); (len(incomplete) == 1) != (test.want != "") || !strings.Contains(open, test.want) || len(differ) > 0 {
				t.Errorf("incomplete: %v, differ: %v", incomplete, differ)
			}
		})
	}
}

// TestConformance_silenceIsChoice checks that a service may refuse what the API
// documentation does not say that it accepts.
func TestConformance_silenceIsChoice(t *testing.T) {
	t.Parallel()
	for name, accepts := range map[string]func(body string) bool{
		"null":              func(body string) bool { return !strings.Contains(body, ":null") },
		"an id in the body": func(body string) bool { return !strings.Contains(body, `"id":`) },
		"empty values":      func(body string) bool { return !strings.Contains(body, `:""`) && !strings.Contains(body, ":{}") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			differ, _ := runKind(t, groups, around("", groups, func(_ *Server, _ *http.Request, body string, serve serving) *httptest.ResponseRecorder {
				if accepts(body) {
					return serve()
				}
				w := httptest.NewRecorder()
				w.WriteHeader(http.StatusBadRequest)
				_, _ = w.WriteString(`{"error_code":"ERR_TUNNEL_400","status_code":400,"msg":"no","details":{"operation_id":"op_1"}}`)
				return w
			}))
			for _, result := range differ {
				if result.Status == conformance.Differs {
					t.Error(result)
				}
			}
			if len(differ) == 0 {
				t.Error("it was not found")
			}
		})
	}
}
