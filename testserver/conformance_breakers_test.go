package testserver

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
)

// inner sends a request to a server behind the back of its client.
func inner(s *Server, method, target, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, (&url.URL{Path: target}).EscapedPath(), strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+s.AdminKey)
	r.Header.Set("Service-Version", "2")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Host = "localhost"
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// around is a service that does something around the requests that a method and an end
// of the path select.
func around(method, in string, do doing) func(*Server) http.Handler {
	return func(s *Server) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			serve := func() *httptest.ResponseRecorder {
				again := httptest.NewRecorder()
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
				s.ServeHTTP(again, r)
				return again
			}
			var got *httptest.ResponseRecorder
			if (method == "" || r.Method == method) && strings.Contains(r.URL.Path, in) {
				got = do(s, r, string(raw), serve)
			} else {
				got = serve()
			}
			maps.Copy(w.Header(), got.Header())
			w.WriteHeader(got.Code)
			_, _ = w.Write(got.Body.Bytes())
		})
	}
}

type (
	serving = func() *httptest.ResponseRecorder
	doing   = func(s *Server, r *http.Request, body string, serve serving) *httptest.ResponseRecorder
)

// inResponse changes the text of responses with a success.
func inResponse(method, in string, change func(text string) string) func(*Server) http.Handler {
	return around(method, in, func(_ *Server, _ *http.Request, _ string, serve serving) *httptest.ResponseRecorder {
		got := serve()
		if got.Code < http.StatusBadRequest {
			got.Body = bytes.NewBufferString(change(got.Body.String()))
		}
		return got
	})
}

// inPatch changes the text of updates.
func inPatch(in string, change func(text string) string) func(*Server) http.Handler {
	return func(s *Server) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if raw, _ := io.ReadAll(r.Body); r.Method == http.MethodPatch && strings.Contains(r.URL.Path, in) {
				text := change(string(raw))
				r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
			} else {
				r.Body = io.NopCloser(bytes.NewReader(raw))
			}
			s.ServeHTTP(w, r)
		})
	}
}

func replaced(old, by string) func(string) string {
	return func(text string) string { return strings.ReplaceAll(text, old, by) }
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

// anyResponse changes all responses.
func anyResponse(change func(r *http.Request, w *httptest.ResponseRecorder)) func(*Server) http.Handler {
	return func(s *Server) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got := httptest.NewRecorder()
			s.ServeHTTP(got, r)
			change(r, got)
			maps.Copy(w.Header(), got.Header())
			w.WriteHeader(got.Code)
			_, _ = w.Write(got.Body.Bytes())
		})
	}
}

// inList changes the decoded list of a collection.
func inList(change func(list map[string]any, query url.Values)) func(*Server) http.Handler {
	return anyResponse(func(r *http.Request, w *httptest.ResponseRecorder) {
		list := decodeAnswer(w.Body.Bytes())
		if _, isList := list["next_page_uri"]; isList && w.Code == http.StatusOK {
			change(list, r.URL.Query())
			w.Body = bytes.NewBufferString(asJSON(list))
		}
	})
}

// changedRequest returns a mutant that changes requests before the server
// processes them.
func changedRequest(change func(*Server, *http.Request)) func(*Server) http.Handler {
	return func(s *Server) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			change(s, r)
			s.ServeHTTP(w, r)
		})
	}
}

// breaking is a service that does the opposite of what some rules expect: it accepts
// what it should refuse, and refuses what it should accept. Nothing else changes.
func breaking(broken func(conformance.Result) bool) func(*Server) http.Handler {
	return around("", "", func(s *Server, r *http.Request, _ string, serve serving) *httptest.ResponseRecorder {
		rule := ruleOf(r)
		if rule.Rule == "" || !broken(rule) {
			return serve()
		}
		w := httptest.NewRecorder()
		w.Header().Set("Content-Type", "application/json")
		operation := inner(s, http.MethodGet, "/unknown", "").Header().Get("Tunnel-Operation-Id")
		w.Header().Set("Tunnel-Operation-Id", operation)
		if !rule.Accepted {
			w.WriteHeader(http.StatusOK)
			_, _ = w.WriteString("{}")
			return w
		}
		w.WriteHeader(http.StatusConflict)
		_, _ = fmt.Fprintf(w, `{"error_code":"ERR_TUNNEL_409","status_code":409,"msg":"no","details":{"operation_id":%q}}`, operation)
		return w
	})
}

// parts is how many services share the rules that have a request of their own.
const parts = 2

// TestConformance_eachRuleIsBroken checks, for each rule, that a service which breaks it
// is seen, and nothing else is said about it. Rules that have a request of their own are
// broken one by one; the others need one of the strangers.
func TestConformance_eachRuleIsBroken(t *testing.T) {
	t.Parallel()
	var rules []string
	for _, result := range allVariants(t).Results {
		rules = append(rules, result.Name())
	}
	slices.Sort(rules)
	rules = slices.Compact(rules)
	known := map[string]bool{}
	for _, rule := range rules {
		known[rule] = true
	}
	broken := &names{all: map[string]bool{}}
	t.Run("requests", func(t *testing.T) {
		for part := range parts {
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				t.Parallel()
				breakRequests(t, broken, func(rule string) bool { return known[rule] && int(crc32.ChecksumIEEE([]byte(rule)))%parts == part })
			})
		}
	})
	t.Run("strangers", func(t *testing.T) {
		for name, one := range allStrangers() {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				one.run(t, broken)
			})
		}
	})
	var without []string
	for _, rule := range rules {
		if !broken.all[afterComma(rule)] {
			without = append(without, rule)
		}
	}
	t.Logf("%d rules, %d without a service that breaks them", len(rules), len(without))
	if len(without) > 0 {
		t.Errorf("no service breaks these rules; add one to strangers: %s", strings.Join(without, "; "))
	}
}

// names are the names of rules that a service breaks, of any kind.
type names struct {
	mutex sync.Mutex
	all   map[string]bool
}

// add adds the rules of a result. One result can be about many rules.
func (n *names) add(result conformance.Result) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, rule := range append(result.Rules, result.Name()) {
		n.all[afterComma(rule)] = true
	}
}

func afterComma(rule string) string {
	_, name, _ := strings.Cut(rule, ", ")
	return name
}

// breakRequests breaks the rules that have a request of their own.
func breakRequests(t *testing.T, broken *names, isBroken func(rule string) bool) {
	t.Helper()
	s, seen := New(), map[string]bool{}
	run := newConformance(s, breaking(func(rule conformance.Result) bool {
		name := rule.Name()
		if isBroken(name) {
			seen[name] = true
		}
		return seen[name]
	})(s))
	if err := run.All(); err != nil {
		t.Error(err)
	}
	found := map[string]bool{}
	for _, result := range differences(run) {
		broken.add(result)
		for _, rule := range result.Rules {
			if found[rule] = true; !seen[rule] {
				t.Errorf("a wrong statement about %s: %s", rule, result)
			}
		}
	}
	for rule := range seen {
		if !found[rule] {
			t.Errorf("it was not found: %s", rule)
		}
	}
}
