package testserver

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
)

// newConformance returns a run against a handler in front of a server.
func newConformance(s *Server, handler http.Handler, changes ...func(*conformance.Config)) *conformance.Run {
	config := conformance.Config{
		Document: apiContract(), Base: "http://localhost", Transport: conformance.Handler{Handler: handler},
		Key: s.AdminKey, ReadOnlyKey: s.ReadOnlyKey, Owner: s.OrdinaryOwner, Mark: "text", Throwaway: true,
	}
	for _, change := range changes {
		change(&config)
	}
	return conformance.New(context.Background(), config)
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
	run := newConformance(s, front, func(c *conformance.Config) { c.Mark, c.Throwaway, c.StopAtFirst = mark, false, true })
	if err := run.All(); err != nil {
		t.Error(err, run.Differences())
	}
	if err := run.Clean(context.Background()); err != nil || changes < 500 {
		t.Errorf("%v after %d changes", err, changes)
	}
}

// TestConformance_leavesNothing has the account of before after a run.
func TestConformance_leavesNothing(t *testing.T) {
	t.Parallel()
	allVariants(t)
	if measured.before != measured.after {
		t.Errorf("the account has changed:\n%s", diffLines(measured.before, measured.after))
	}
	if measured.left != nil {
		t.Error(measured.left)
	}
}

var measured struct {
	once          sync.Once
	run           *conformance.Run
	violations    []error
	before, after string
	left          error
}

// allVariants sends all variants to a server, once for all tests.
func allVariants(t *testing.T) *conformance.Run {
	t.Helper()
	measured.once.Do(func() {
		s := New(WithContractCheck(func(err error) { measured.violations = append(measured.violations, err) }))
		measured.before = string(s.Export())
		measured.run = newConformance(s, s)
		if err := measured.run.All(); err != nil {
			t.Error(err)
		}
		measured.left = measured.run.Clean(context.Background())
		measured.after = string(s.Export())
	})
	return measured.run
}

// TestConformance_findsMutants checks that the variants detect servers that
// each violate one rule.
func TestConformance_findsMutants(t *testing.T) {
	t.Parallel()
	for _, mutant := range mutants {
		t.Run(mutant.breaks, func(t *testing.T) {
			t.Parallel()
			s := New()
			run := newConformance(s, mutant.handler(s), func(c *conformance.Config) { c.StopAtFirst, c.Throwaway = true, false })
			_ = run.All() // ends at the first difference
			found := run.Differences()
			if len(found) == 0 || !strings.Contains(found[0].String(), mutant.found) {
				t.Errorf("after %d variants the differences are %v, want %q", len(run.Results), found, mutant.found)
			}
		})
	}
}

// mutants are handlers that each violate one rule in front of a server that
// complies. found is part of the first failure.
var mutants = []struct {
	breaks, found string
	handler       func(*Server) http.Handler
}{
	{"unknown fields are refused", "x_unknown unknown field", changedBody(func(body map[string]any) { delete(body, "x_unknown") })},
	{"numbers are not strings", "metadata of type integer", changedBody(func(body map[string]any) {
		if body["metadata"] == 7.0 {
			body["metadata"] = "7"
		}
	})},
	{"255 bytes are allowed", "description one byte too long", changedBody(func(body map[string]any) {
		if text, _ := body["description"].(string); len(text) == 256 && text[0] == 'x' {
			body["description"] = text[1:]
		}
	})},
	{"bytes count, not characters", "description too long in bytes", changedBody(func(body map[string]any) {
		if text, _ := body["description"].(string); len([]rune(text)) <= 255 && len(text) > 255 {
			body["description"] = "short"
		}
	})},
	{"null changes nothing", "description null: otherwise: expected that description stays", changedBody(func(body map[string]any) {
		if value, given := body["description"]; given && value == nil {
			body["description"] = ""
		}
	})},
	{"years end in 9999", "valid_until timestamp 9999", changedBody(func(body map[string]any) {
		if body["valid_until"] == "9999-12-31T23:59:59-00:01" {
			body["valid_until"] = "9999-12-31T23:59:59Z"
		}
	})},
	{"rules have actions", "inbound[0].actions missing", changedBody(func(body map[string]any) {
		if rules, _ := body["inbound"].([]any); len(rules) == 1 {
			if rule, _ := rules[0].(map[string]any); rule["name"] != nil && rule["actions"] == nil {
				delete(body, "inbound")
			}
		}
	})},
	{"deny is inbound only", "outbound[0].actions[0].type value that is not allowed", changedBody(func(body map[string]any) {
		if rules, _ := body["outbound"].([]any); len(rules) == 1 && strings.Contains(asJSON(rules), `"type":"deny"`) {
			delete(body, "outbound")
		}
	})},
	{"{} changes nothing", "no fields: otherwise: expected that nothing changes", changedBody(func(body map[string]any) {
		if len(body) == 0 {
			body["description"] = ""
		}
	})},
	{"what is wrong is 400", "expected status 400, found status 422", anyResponse(func(_ *http.Request, w *httptest.ResponseRecorder) {
		if w.Code == 400 {
			w.Code, w.Body = 422, bytes.NewBufferString(strings.Replace(w.Body.String(), `"status_code":400`, `"status_code":422`, 1))
		}
	})},
	{"the wrong element is named", `expected details.field "acl[0]", found "acl"`, inAny(replaced(`"field":"acl[0]"`, `"field":"acl"`))},
	{"405 names the methods", "expected a header Allow", anyResponse(func(_ *http.Request, w *httptest.ResponseRecorder) { w.Header().Del("Allow") })},
	{"answers have created_at", "missing created_at", inAny(replaced(`"created_at"`, `"made_at"`))},
	{"metadata is stored", "expected metadata as sent", inAny(replaced(`"metadata":"text"`, `"metadata":""`))},
	{"a create is 201", "expected status 201, found status 200", anyResponse(func(r *http.Request, w *httptest.ResponseRecorder) {
		if r.Method == http.MethodPost && w.Code == 201 {
			w.Code = 200
		}
	})},
	{"a read-only key may not write", "read-only key: differs: expected status 403", changedRequest(func(s *Server, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer "+s.ReadOnlyKey {
			r.Header.Set("Authorization", "Bearer "+s.AdminKey)
		}
	})},
	{"the version is checked", "version: otherwise: expected status 400", changedRequest(func(_ *Server, r *http.Request) { r.Header.Set("Service-Version", "2") })},
	{"a page has 100 objects", "limit=101: otherwise: expected status 400", changedRequest(func(_ *Server, r *http.Request) {
		r.URL.RawQuery = strings.Replace(r.URL.RawQuery, "limit=101", "limit=100", 1)
	})},
	{"before_id is of the list's kind", "before_id=op_unknown: otherwise: expected status 400", changedRequest(func(_ *Server, r *http.Request) {
		if strings.HasPrefix(r.URL.RawQuery, "before_id=op_") {
			r.URL.RawQuery = ""
		}
	})},
	{"bodies are JSON", "expected status 415", changedRequest(func(_ *Server, r *http.Request) { r.Header.Set("Content-Type", "application/json") })},
}
