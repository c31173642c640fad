package testserver

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
)

// allStrangers are the services that break rules which no single request tests.
func allStrangers() map[string]stranger {
	all := maps.Clone(strangers)
	maps.Copy(all, map[string]stranger{
		"another created_at in each GET": {groups, "created_at", moving()},
		"a POST returns an older object": {groups, "another id for each object|GET after the|in the GET after it", remembering(func(m *memory, r *http.Request, serve serving) *httptest.ResponseRecorder {
			if r.Method != http.MethodPost || !strings.Contains(m.body, `"metadata":"text `) || strings.Contains(m.body, "twice") {
				return serve()
			}
			if m.first == nil {
				m.first = serve()
				return m.first
			}
			return m.first
		})},
		"an id is used again": {groups, "an id that no object had|deleted", remembering(func(m *memory, r *http.Request, serve serving) *httptest.ResponseRecorder {
			if r.Method == http.MethodPost && m.deleted != "" && strings.Contains(m.body, `"metadata":"text `) && !strings.Contains(m.body, "twice") {
				got := inner(m.s, http.MethodPost, "/_testserver/objects"+groups, strings.Replace(m.body, "{", `{"id":"`+m.deleted+`",`, 1))
				if got.Code == http.StatusCreated {
					return got
				}
			}
			got := serve()
			if ruleOf(r).Rule == "one of three" {
				m.deleted = r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
			}
			return got
		})},
		"a list shows an object twice": {groups, "a list with each object once", inList(func(list map[string]any, query url.Values) {
			if all := list["backends"].([]any); len(all) > 0 && query.Get("limit") == "" {
				list["backends"] = append(all, all[0])
			}
		})},
		"another status in errors": {groups, "status_code of an error is that of the response", inErrors(replaced(`"status_code":4`, `"status_code":5`))},
		"the private key in an error": {"/tls_certificates", "no private key in a response", around(http.MethodPost, "/tls_certificates",
			func(_ *Server, _ *http.Request, body string, serve serving) *httptest.ResponseRecorder {
				got := serve()
				key, _ := decodeAnswer([]byte(body))["private_key_pem"].(string)
				if got.Code >= http.StatusBadRequest && key != "" {
					got.Body = bytes.NewBufferString(strings.Replace(got.Body.String(), `"msg":"`, `"msg":"`+strings.ReplaceAll(key, "\n", " "), 1))
				}
				return got
			})},
		"an edge without its routes": {"/edges/https", "an edge that shows each route", anyResponse(func(r *http.Request, w *httptest.ResponseRecorder) {
			if r.Method == http.MethodGet {
				eachObject(w, func(members map[string]any) {
					if members["routes"] != nil {
						members["routes"] = []any{}
					}
				})
			}
		})},
		"a token in a PATCH": {"/api_keys", "a token in the response to the creation only", anyResponse(
			func(r *http.Request, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodPatch && w.Code == http.StatusOK && strings.HasPrefix(r.URL.Path, "/api_keys") {
					eachObject(w, func(members map[string]any) { members["token"] = "the token" })
				}
			})},
		"no token": {"/api_keys", "a token in the response to the creation", anyResponse(func(r *http.Request, w *httptest.ResponseRecorder) {
			if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/api_keys") && w.Code == http.StatusCreated {
				eachObject(w, func(members map[string]any) { members["token"] = nil })
			}
		})},
		"a deleted key works": {"/api_keys", "because the key has no such right", changedRequest(func(s *Server, r *http.Request) {
			if strings.Contains(r.Header.Get("Authorization"), kinds.TokenPrefix) {
				r.Header.Set("Authorization", "Bearer "+s.AdminKey)
			}
		})},
	})
	return all
}

// memory is what a stranger knows of earlier requests.
type memory struct {
	s       *Server
	body    string
	first   *httptest.ResponseRecorder
	deleted string
	secret  string
}

// remembering is a service that does something with what it knows.
func remembering(do func(m *memory, r *http.Request, serve serving) *httptest.ResponseRecorder) func(*Server) http.Handler {
	m := &memory{}
	return around("", "", func(s *Server, r *http.Request, body string, serve serving) *httptest.ResponseRecorder {
		m.s, m.body = s, body
		return do(m, r, serve)
	})
}

// moving shows another created_at each time.
func moving() func(*Server) http.Handler {
	var n int
	return inResponse(http.MethodGet, groups+"/", func(text string) string {
		n++
		return strings.Replace(text, `"created_at":"20`, fmt.Sprintf(`"created_at":"%d`, 20+n%70), 1)
	})
}

// TestConformance_eachMemberIsCompared answers, for each member of each kind that a
// request can set, with a value that nobody has sent. Exactly this member differs.
func TestConformance_eachMemberIsCompared(t *testing.T) {
	t.Parallel()
	count := 0
	t.Run("members", func(t *testing.T) {
		for _, kind := range []string{
			groups, credentials, "/ssh_host_certificates", "/tls_certificates", "/backends/failover", "/backends/http_response", "/bot_users",
			"/event_destinations", "/reserved_addrs", "/reserved_domains",
		} {
			s := New()
			run := newConformance(s, s)
			for member := range run.Sample(kind, http.MethodPost) {
				if member == "private_key_pem" || member == "active" { // no response has it; it is true in most
					continue
				}
				count++
				t.Run(kind+" "+member, func(t *testing.T) {
					t.Parallel()
					differ, _ := runKind(t, kind, withForeign(kind, member))
					named := false
					for _, result := range differ {
						named = named || strings.Contains(result.String(), shownMember(member))
						if !strings.Contains(result.String(), shownMember(member)) && result.Status == conformance.Differs {
							t.Errorf("a wrong statement: %s", result)
						}
					}
					if !named {
						t.Errorf("it was not found: %v", differ)
					}
				})
			}
		}
	})
	if count < 35 {
		t.Errorf("only %d members", count)
	}
}

// shownMember is the member of a response that shows a member of a request.
func shownMember(member string) string {
	switch member {
	case "backend_id", "certificate_id":
		return strings.TrimSuffix(member, "_id")
	}
	return member
}

// foreignValues are values that nobody sends.
var foreignValues = map[string]any{
	"labels": map[string]any{"foreign": "x"}, "acl": []any{"bind:foreign.example.com"}, "principals": []any{"foreign.example.com"},
	"backends": []any{"bkdhr_foreign"}, "valid_after": "2001-01-01T00:00:00Z", "valid_until": "2002-01-01T00:00:00Z", "status_code": 299,
	"headers": map[string]any{"x-foreign": "x"}, "target": map[string]any{"debug": map[string]any{"log": false}},
	"certificate": map[string]any{"id": "cert_foreign", "uri": "http://localhost/tls_certificates/cert_foreign"},
	"public_key":  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGZvcmVpZ25mb3JlaWduZm9yZWlnbmZvcmVpZ25mb3I= foreign",
}

// withForeign is a service whose responses have a foreign value of a member.
func withForeign(kind, member string) func(*Server) http.Handler {
	member = shownMember(member)
	value, there := foreignValues[member]
	if !there {
		value = "foreign"
	}
	return anyResponse(func(r *http.Request, w *httptest.ResponseRecorder) {
		if w.Code < http.StatusBadRequest && strings.HasPrefix(r.URL.Path, kind) {
			eachObject(w, func(members map[string]any) { members[member] = value })
		}
	})
}

// eachObject changes an object in a response, or those in a list.
func eachObject(w *httptest.ResponseRecorder, change func(map[string]any)) {
	body := decodeAnswer(w.Body.Bytes())
	if body == nil {
		return
	}
	objects := []any{body}
	for _, list := range body {
		if elements, isList := list.([]any); isList && body["id"] == nil {
			objects = append(objects, elements...)
		}
	}
	for _, object := range objects {
		if members, isObject := object.(map[string]any); isObject && members["id"] != nil {
			change(members)
		}
	}
	w.Body = bytes.NewBufferString(asJSON(body))
}
