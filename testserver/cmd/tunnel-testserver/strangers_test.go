package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// serving is a service in front of a test server.
type serving = func(s *testserver.Server, w http.ResponseWriter, r *http.Request)

// withoutRestrictions is a service that does not have ip_restriction at all.
func withoutRestrictions(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(raw))
	if strings.HasSuffix(r.URL.Path, "/ip_restriction") {
		r.URL.Path = "/none"
	} else if strings.Contains(string(raw), `"ip_restriction"`) && byAdmin(s, r) && r.Header.Get("Service-Version") == "2" {
		id := "op_" + rand.Text()
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Tunnel-Operation-Id", id)
		w.WriteHeader(http.StatusBadRequest)
		const body = `{"error_code":"ERR_TUNNEL_400","status_code":400,"msg":"no","details":{"field":"ip_restriction","operation_id":%q}}`
		_, _ = fmt.Fprintf(w, body, id)
		return
	}
	got := httptest.NewRecorder()
	s.ServeHTTP(got, r)
	text := got.Body.String()
	if !strings.Contains(text, `"next_page_uri"`) { // not in lists
		text = strings.ReplaceAll(text, `,"ip_restriction":null`, "")
	}
	maps.Copy(w.Header(), got.Header())
	w.Header().Del("Content-Length")
	w.WriteHeader(got.Code)
	_, _ = io.WriteString(w, text)
}

func byAdmin(s *testserver.Server, r *http.Request) bool {
	return r.Header.Get("Authorization") == "Bearer "+s.AdminKey
}

// TestVerify_strangeServices verifies services that do something else than they say. The
// objects that are left are named, and the exit code is never 0.
func TestVerify_strangeServices(t *testing.T) {
	t.Parallel()
	var deleted sync.Map // objects, by key and path
	for name, test := range map[string]struct {
		only     string
		code     int
		want     string // in the report or the messages
		unwanted string // in the report
		service  serving
	}{
		"deletes nothing": {"reserved_address", 2, "a GET after the DELETE with status 404| objects left: [/reserved_addrs/", "", func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodDelete && byAdmin(s, r) {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			s.ServeHTTP(w, r)
		}},
		"shows once more what is deleted": {"reserved_address", 1, "a GET after the DELETE with status 404", "", func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodDelete && byAdmin(s, r):
				if status, object := s.Do(http.MethodGet, r.URL.Path, ""); status == http.StatusOK {
					text, _ := json.Marshal(object)
					deleted.Store(s.AdminKey+r.URL.Path, string(text))
				}
				s.Do(http.MethodDelete, r.URL.Path, "")
				w.WriteHeader(http.StatusNoContent)
			case r.Method == http.MethodGet:
				if text, shown := deleted.LoadAndDelete(s.AdminKey + r.URL.Path); shown {
					w.Header().Set("Content-Type", "application/json")
					_, _ = io.WriteString(w, text.(string))
					return
				}
				fallthrough
			default:
				s.ServeHTTP(w, r)
			}
		}},
		"shows no id": {"reserved_address", 2, "creations had no clear response: look for objects with the mark", "", func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
			changed := httptest.NewRecorder()
			s.ServeHTTP(changed, r)
			maps.Copy(w.Header(), changed.Header())
			w.WriteHeader(changed.Code)
			text := changed.Body.String()
			if r.Method == http.MethodPost {
				text = strings.Replace(text, `"id":`, `"name":`, 1)
			}
			_, _ = io.WriteString(w, text)
		}},
		"offers one kind": {"", 2, " x not offered (status 404), so its rules were not tried|POST /backends/failover, POST /backends/http_response, ", "These differences break clients", func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/reserved_addrs") {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			s.ServeHTTP(w, r)
		}},
		"nothing agrees": {"reserved_address", 2, "No response to a request that should succeed is as documented", "", func(_ *testserver.Server, w http.ResponseWriter, r *http.Request) {
			if w.WriteHeader(http.StatusOK); r.Method == http.MethodGet {
				_, _ = io.WriteString(w, "{}")
			}
		}},
		"a read-only key writes": {"reserved_address", 1, "because the key has no such right", "", func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") == "Bearer read-only-key" {
				r.Header.Set("Authorization", "Bearer "+s.AdminKey)
			}
			s.ServeHTTP(w, r)
		}},
		"everything fails": {"reserved_address", 2, "the service fails: 30 responses in a row", "", func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
			if s.Stats().Total < 3 {
				s.ServeHTTP(w, r)
				return
			}
			w.WriteHeader(http.StatusInternalServerError)
		}},
		"lacks an extension": {
			"tcp_edge", codeIncomplete, " 0 differ, 0 are decided otherwise, |the service refuses ip_restriction (status 400), so it was omitted", "",
			withoutRestrictions,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testserver.New()
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { test.service(s, w, r) }))
			t.Cleanup(service.Close)
			cmd := command("verify", "-yes", "-only", test.only)
			cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL="+service.URL, "TUNNEL_API_KEY="+s.AdminKey, "TUNNEL_READ_ONLY_API_KEY=")
			if name == "a read-only key writes" {
				cmd.Env = append(cmd.Env, "TUNNEL_READ_ONLY_API_KEY=read-only-key")
			}
			got := runVerify(cmd)
			rest := got.out + got.messages
			for want := range strings.SplitSeq(test.want, "|") {
				before, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("exit code %d, %q is not in %s", got.code, want, got.out+got.messages)
				}
				rest = before + after
			}
			left := strings.Contains(string(s.Export()), "tunnel-verify")
			if got.code != test.code || test.unwanted != "" && strings.Contains(got.out, test.unwanted) || left != slices.Contains([]string{"deletes nothing", "shows no id"}, name) {
				t.Errorf("exit code %d, left %v: %s%s", got.code, left, got.out, got.messages)
			}
		})
	}
}
