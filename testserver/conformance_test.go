package testserver

import (
	"net/http"
	"strings"
	"testing"
)

// TestConformance_allVariants derives from the document, for every route and field, the requests that are just right and
// just wrong, and expects the status and the details.field of each.
func TestConformance_allVariants(t *testing.T) {
	t.Parallel()
	s := New(WithContractCheck(func(err error) { t.Errorf("contract: %v", err) }))
	run := &conformance{handler: s, server: s, samples: newSamples(t, s), tree: schemaTree(t)}
	run.all()
	for _, failure := range run.failures {
		t.Error(failure)
	}
	t.Logf("%d variants", run.count)
	if run.count < 2500 {
		t.Errorf("there are only %d variants", run.count)
	}
}

// TestConformance_findsMutants runs the same variants against servers that each break one rule.
func TestConformance_findsMutants(t *testing.T) {
	t.Parallel()
	tree := schemaTree(t)
	for name, mutate := range mutants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := New()
			run := &conformance{handler: mutate(s), server: s, samples: newSamples(t, s), tree: tree, once: true}
			run.all()
			if len(run.failures) == 0 {
				t.Errorf("not found by %d variants", run.count)
			} else {
				t.Logf("after %d variants: %s", run.count, run.failures[0])
			}
		})
	}
}

// mutants are servers that break one rule each, in front of a server that keeps it.
var mutants = map[string]func(*Server) http.Handler{
	"accepts unknown fields": changedBody(func(body map[string]any) { delete(body, "x_unknown") }),
	"accepts numbers as strings": changedBody(func(body map[string]any) {
		if body["metadata"] == 7.0 {
			body["metadata"] = "7"
		}
	}),
	"accepts one byte too much": changedBody(func(body map[string]any) {
		if text, _ := body["description"].(string); len(text) == maxDescription+1 {
			body["description"] = text[1:]
		}
	}),
	"counts characters, not bytes": changedBody(func(body map[string]any) {
		if text, _ := body["description"].(string); len([]rune(text)) <= maxDescription && len(text) > maxDescription {
			body["description"] = "short"
		}
	}),
	"clears what is null": changedBody(func(body map[string]any) {
		if value, given := body["description"]; given && value == nil {
			body["description"] = ""
		}
	}),
	"accepts years beyond 9999": changedBody(func(body map[string]any) {
		if body["valid_until"] == "9999-12-31T23:59:59-00:01" {
			body["valid_until"] = "9999-12-31T23:59:59Z"
		}
	}),
	"accepts rules without actions": changedBody(func(body map[string]any) {
		if rules, _ := body["inbound"].([]any); len(rules) == 1 {
			if rule, _ := rules[0].(map[string]any); rule != nil && rule["actions"] == nil {
				delete(body, "inbound")
			}
		}
	}),
	"answers 422 for 400": changedAnswer(func(_ *http.Request, a *answer) {
		if a.status == 400 {
			a.status = 422
		}
	}),
	"does not name the field": changedAnswer(func(_ *http.Request, a *answer) {
		a.body = []byte(strings.Replace(string(a.body), `"field":"acl[0]"`, `"field":"acl"`, 1))
	}),
	"does not name the methods": changedAnswer(func(_ *http.Request, a *answer) { a.header.Del("Allow") }),
	"answers without created_at": changedAnswer(func(_ *http.Request, a *answer) {
		a.body = []byte(strings.Replace(string(a.body), `"created_at"`, `"made_at"`, 1))
	}),
	"forgets metadata": changedAnswer(func(_ *http.Request, a *answer) {
		a.body = []byte(strings.Replace(string(a.body), `"metadata":"text"`, `"metadata":""`, 1))
	}),
	"answers 200 to a create": changedAnswer(func(r *http.Request, a *answer) {
		if r.Method == http.MethodPost && a.status == 201 {
			a.status = 200
		}
	}),
	"lets the read-only key write": changedRequest(func(s *Server, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer "+s.ReadOnlyKey {
			r.Header.Set("Authorization", "Bearer "+s.AdminKey)
		}
	}),
	"accepts any version": changedRequest(func(_ *Server, r *http.Request) { r.Header.Set("Service-Version", "2") }),
	"accepts limit=101": changedRequest(func(_ *Server, r *http.Request) {
		r.URL.RawQuery = strings.Replace(r.URL.RawQuery, "limit=101", "limit=100", 1)
	}),
	"accepts before_id of another kind": changedRequest(func(_ *Server, r *http.Request) {
		if strings.HasPrefix(r.URL.RawQuery, "before_id=op_") {
			r.URL.RawQuery = ""
		}
	}),
	"accepts bodies that are not JSON": changedRequest(func(_ *Server, r *http.Request) { r.Header.Set("Content-Type", "application/json") }),
}
