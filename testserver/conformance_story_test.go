package testserver

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
)

const (
	groups      = "/backends/tunnel_group"
	credentials = "/ssh_credentials"
)

// stranger is a service with one mistake. found are parts, separated
// by "|", of which each result has one that differs, or that is decided otherwise where
// the contract is silent; one result has the first.
type stranger struct {
	kind, found string
	handler     func(*Server) http.Handler
}

var strangers = map[string]stranger{
	"a PATCH stores nothing": {groups, "a GET after it that shows", around("PATCH", groups+"/",
		func(s *Server, r *http.Request, _ string, serve serving) *httptest.ResponseRecorder {
			old := decodeAnswer(inner(s, "GET", r.URL.Path, "").Body.Bytes())
			got := serve()
			inner(s, "PATCH", r.URL.Path, asJSON(map[string]any{"description": text(old["description"]), "metadata": text(old["metadata"])}))
			return got
		})},
	"a DELETE deletes two": {groups, "a DELETE of another object leaves|a list with each object", around("DELETE", groups,
		func(s *Server, _ *http.Request, _ string, serve serving) *httptest.ResponseRecorder {
			got := serve()
			list, _ := decodeAnswer(inner(s, "GET", groups, "").Body.Bytes())["backends"].([]any)
			if got.Code == http.StatusNoContent && len(list) > 0 {
				one, _ := list[0].(map[string]any)
				inner(s, "DELETE", groups+"/"+text(one["id"]), "")
			}
			return got
		})},
	"a link leads elsewhere": {groups, "a next_page_uri that is an address of the same list", inList(func(list map[string]any, _ url.Values) {
		if list["next_page_uri"] != nil {
			list["next_page_uri"] = "http://other.example.com" + groups
		}
	})},
	"pages have no links":      {groups, "a list with each object, followed to its end", inList(func(list map[string]any, _ url.Values) { list["next_page_uri"] = nil })},
	"labels are in lower case": {groups, "labels as sent", inPatch(groups, replaced(`"Key":"Value"`, `"key":"value"`))},
	"HTML is escaped":          {groups, "as sent", inPatch(groups, replaced(`<b>`, `&lt;b&gt;`))},
	"an ACL has another order": {credentials, "acl as sent", inPatch(credentials,
		replaced(`"bind:b.example.com","bind:A.example.com"`, `"bind:A.example.com","bind:b.example.com"`))},
	"no Content-Type": {groups, "header Content-Type", anyResponse(func(_ *http.Request, w *httptest.ResponseRecorder) {
		w.Header().Del("Content-Type")
	})},
	"no operation id": {groups, "header Tunnel-Operation-Id", anyResponse(func(_ *http.Request, w *httptest.ResponseRecorder) {
		w.Header().Del("Tunnel-Operation-Id")
	})},
	"the key in an error": {groups, "no API key in a response", anyResponse(func(r *http.Request, w *httptest.ResponseRecorder) {
		if w.Code == http.StatusBadRequest {
			w.Header().Set("X-Debug", r.Header.Get("Authorization"))
		}
	})},
	"errors of another form": {groups, "of an error", anyResponse(func(_ *http.Request, w *httptest.ResponseRecorder) {
		if w.Code >= http.StatusBadRequest {
			w.Body = bytes.NewBufferString(`{"error":"no"}`)
		}
	})},
	"the secret of a target in a GET": {"/event_destinations", "no secret of an event destination in a response", remembering(
		func(m *memory, r *http.Request, serve serving) *httptest.ResponseRecorder {
			target, _ := decodeAnswer([]byte(m.body))["target"].(map[string]any)
			got := serve()
			if datadog, _ := target["datadog"].(map[string]any); r.Method == http.MethodPost && got.Code == http.StatusCreated && datadog != nil {
				m.secret = text(datadog["api_key"])
			} else if r.Method == http.MethodGet {
				got.Body = bytes.NewBufferString(strings.Replace(got.Body.String(), `"datadog":{`, `"datadog":{"api_key":"`+m.secret+`",`, 1))
			}
			return got
		})},
	"a module is always enabled": {"/edges/tcp/{id}/policy", "enabled as sent, false", inResponse("", "/policy", replaced(`"enabled":false`, `"enabled":true`))},
	"a forbidden DELETE deletes": {groups, "because the key has no such right", changedRequest(func(s *Server, r *http.Request) {
		if r.Method == http.MethodDelete {
			r.Header.Set("Authorization", "Bearer "+s.AdminKey)
		}
	})},
}

// run checks that the rules name the mistake of a service, and nothing else.
func (one stranger) run(t *testing.T, broken *names) {
	t.Helper()
	s := New()
	run := newConformance(s, one.handler(s), func(c *conformance.Config) {
		c.Throwaway = false
		c.Only = func(route string) bool { return strings.HasPrefix(route, one.kind) }
	})
	if err := run.All(); err != nil {
		t.Error(err)
	}
	found := differences(run)
	parts, named := strings.Split(one.found, "|"), false
	for _, result := range found {
		broken.add(result)
		named = named || strings.Contains(result.String(), parts[0])
		if !slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(result.String(), part) }) {
			t.Errorf("a wrong statement: %s", result)
		}
	}
	if !named {
		t.Errorf("it was not found: %v", found)
	}
	_ = run.Clean(context.Background())
}

// TestConformance_choicesAreNoMistakes checks that nothing "differs" of what the API
// documentation leaves open, and that all choices together keep to the contract.
func TestConformance_choicesAreNoMistakes(t *testing.T) {
	t.Parallel()
	s := New(WithContractCheck(func(err error) { t.Errorf("contract: %v", err) }))
	var names []string
	for _, choice := range Behaviors("choices") {
		if choice.Name != "require_reserved" && choice.Name != "unique_hostports" { // which the documentation would have to say
			names = append(names, choice.Name)
		}
	}
	s.SetBehavior(names...)
	run := newConformance(s, s, func(c *conformance.Config) {
		c.Only = func(route string) bool { return !strings.HasPrefix(route, "/ssh_certificate_authorities") } // RSA keys are slow
	})
	if err := run.All(); err != nil {
		t.Error(err)
	}
	for _, result := range differences(run) {
		if result.Status == conformance.Differs {
			t.Error(result)
		}
	}
}
