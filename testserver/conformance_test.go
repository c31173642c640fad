package testserver

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// TestConformance_allVariants derives valid and invalid requests from the
// document, for every route and field, and checks the status and details.field
// of each response.
func TestConformance_allVariants(t *testing.T) {
	t.Parallel()
	run := allVariants(t)
	for _, failure := range run.failures {
		t.Error(failure)
	}
	t.Logf("%d variants", run.count)
	if run.count < 2500 {
		t.Errorf("there are only %d variants", run.count)
	}
}

var measured struct {
	once sync.Once
	run  *conformance
}

// allVariants sends all variants to a server, once for all tests.
func allVariants(t *testing.T) *conformance {
	t.Helper()
	measured.once.Do(func() {
		var run *conformance
		s := New(WithContractCheck(func(err error) { run.failed("contract: %v", err) }))
		run = newConformance(t, s, s)
		run.all()
		measured.run = run
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
			run := newConformance(t, s, mutant.handler(s))
			run.once = true
			run.all()
			if len(run.failures) == 0 || !strings.Contains(run.failures[0], mutant.found) {
				t.Errorf("after %d variants the failures are %q, want %q", run.count, run.failures, mutant.found)
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
	{"null changes nothing", "description null: description must stay", changedBody(func(body map[string]any) {
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
	{"{} changes nothing", "no fields: nothing must change", changedBody(func(body map[string]any) {
		if len(body) == 0 {
			body["description"] = ""
		}
	})},
	{"what is wrong is 400", "the status must be 400", changedAnswer(func(_ *http.Request, a *engine.Answer) {
		if a.Status == 400 {
			a.Status = 422
		}
	})},
	{"the wrong element is named", `details.field must be "acl[0]"`, changedAnswer(func(_ *http.Request, a *engine.Answer) {
		a.Body = []byte(strings.Replace(string(a.Body), `"field":"acl[0]"`, `"field":"acl"`, 1))
	})},
	{"405 names the methods", "Allow must be", changedAnswer(func(_ *http.Request, a *engine.Answer) { a.Header.Del("Allow") })},
	{"answers have created_at", "missing created_at", changedAnswer(func(_ *http.Request, a *engine.Answer) {
		a.Body = []byte(strings.Replace(string(a.Body), `"created_at"`, `"made_at"`, 1))
	})},
	{"metadata is stored", "metadata must be what was sent", changedAnswer(func(_ *http.Request, a *engine.Answer) {
		a.Body = []byte(strings.Replace(string(a.Body), `"metadata":"text"`, `"metadata":""`, 1))
	})},
	{"a create is 201", "the status must be 201", changedAnswer(func(r *http.Request, a *engine.Answer) {
		if r.Method == http.MethodPost && a.Status == 201 {
			a.Status = 200
		}
	})},
	{"a read-only key may not write", "read-only key: the status must be 403", changedRequest(func(s *Server, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer "+s.ReadOnlyKey {
			r.Header.Set("Authorization", "Bearer "+s.AdminKey)
		}
	})},
	{"the version is checked", "version: the status must be 400", changedRequest(func(_ *Server, r *http.Request) { r.Header.Set("Service-Version", "2") })},
	{"a page has 100 objects", "limit=101: the status must be 400", changedRequest(func(_ *Server, r *http.Request) {
		r.URL.RawQuery = strings.Replace(r.URL.RawQuery, "limit=101", "limit=100", 1)
	})},
	{"before_id is of the list's kind", "before_id=op_unknown: the status must be 400", changedRequest(func(_ *Server, r *http.Request) {
		if strings.HasPrefix(r.URL.RawQuery, "before_id=op_") {
			r.URL.RawQuery = ""
		}
	})},
	{"bodies are JSON", "the status must be 415", changedRequest(func(_ *Server, r *http.Request) { r.Header.Set("Content-Type", "application/json") })},
}
