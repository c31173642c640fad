package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// serving is a service in front of a test server.
type serving = func(s *testserver.Server, w http.ResponseWriter, r *http.Request)

// foreign returns a verify command for a service with a mistake.
func foreign(t *testing.T, mistake serving, arguments ...string) (*exec.Cmd, *testserver.Server) {
	t.Helper()
	s := testserver.New()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { mistake(s, w, r) }))
	t.Cleanup(service.Close)
	cmd := command(append([]string{"verify", "-yes"}, arguments...)...)
	cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL="+service.URL, "TUNNEL_API_KEY="+s.AdminKey)
	return cmd, s
}

// changedList serves a request, and changes the list in its response.
func changedList(s *testserver.Server, w http.ResponseWriter, r *http.Request, change func(list map[string]any)) {
	got := httptest.NewRecorder()
	s.ServeHTTP(got, r)
	var list map[string]any
	body := got.Body.Bytes()
	if _ = json.Unmarshal(body, &list); list["next_page_uri"] != nil || strings.Contains(string(body), "next_page_uri") {
		change(list)
		body, _ = json.Marshal(list)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Tunnel-Operation-Id", got.Header().Get("Tunnel-Operation-Id"))
	w.WriteHeader(got.Code)
	_, _ = w.Write(body)
}

// TestVerify_namesWhatIsLeft verifies services whose deletions or creations do something
// else than they say. The objects that are left are named, and the exit code is 2.
func TestVerify_namesWhatIsLeft(t *testing.T) {
	t.Parallel()
	cmd, _ := foreign(t, func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete && r.Header.Get("Authorization") == "Bearer "+s.AdminKey {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		s.ServeHTTP(w, r)
	}, "-only", "reserved_address")
	const left = "objects with the mark are left, although their DELETE was sent: /reserved_addrs/ra_"
	if got := runVerify(cmd); got.code != 2 || !strings.Contains(got.messages, left) {
		t.Errorf("exit code %d: %s", got.code, got.messages)
	}
	cmd, s := foreign(t, func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/reserved_addrs" {
			raw, _ := io.ReadAll(r.Body)
			for range 2 { // the second response is the one that counts
				r.Body, r.ContentLength = io.NopCloser(strings.NewReader(string(raw))), int64(len(raw))
				got := httptest.NewRecorder()
				if s.ServeHTTP(got, r); got.Code >= http.StatusBadRequest {
					break
				}
			}
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(string(raw))), int64(len(raw))
		}
		s.ServeHTTP(w, r)
	}, "-only", "reserved_address")
	got := runVerify(cmd)
	if got.code != 1 || !strings.Contains(got.out, "one object for each POST") || strings.Contains(string(s.Export()), "tunnel-verify") {
		t.Errorf("exit code %d: %s %s", got.code, got.messages, s.Export())
	}
}

// TestVerify_cleanupReadsCutLists deletes objects beyond the end of a list that is cut
// without a link, and does not say that nothing is left if it cannot know.
func TestVerify_cleanupReadsCutLists(t *testing.T) {
	t.Parallel()
	const mark = "tunnel-verify-abcdefghijklmnop"
	for name, knows := range map[string]bool{"before_id works": true, "before_id is ignored": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, s := foreign(t, func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet && !knows {
					r.URL.RawQuery = ""
				}
				changedList(s, w, r, func(list map[string]any) { list["next_page_uri"] = nil })
			}, "-cleanup", mark)
			s.Create("/reserved_addrs", `{"metadata":"`+mark+`"}`)
			for range 120 {
				s.Create("/reserved_addrs", `{}`)
			}
			got := runVerify(cmd)
			left := strings.Contains(string(s.Export()), mark)
			if knows && (got.code != 0 || left) || !knows && (got.code != 2 || !strings.Contains(got.messages, "ends after 100 objects, and may have more")) {
				t.Errorf("exit code %d, left %v: %s", got.code, left, got.messages)
			}
		})
	}
}

// TestVerify_kindThatIsNotOffered is one line in a report.
func TestVerify_kindThatIsNotOffered(t *testing.T) {
	t.Parallel()
	cmd, _ := foreign(t, func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/reserved_addrs") {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		s.ServeHTTP(w, r)
	})
	got := runVerify(cmd)
	if got.code != 2 || strings.Count(got.out, "the service offers the kind: not tried: not offered") < 14 || strings.Contains(got.out, ": differs:") {
		t.Errorf("exit code %d, %d lines: %s%s", got.code, strings.Count(got.out, "the service offers the kind: not tried: not offered"), got.out, got.messages)
	}
	cmd, _ = foreign(t, func(_ *testserver.Server, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
	}, "-only", "bot_user")
	if got := runVerify(cmd); got.code != 2 || !strings.Contains(got.messages, "does not offer this kind") {
		t.Errorf("exit code %d: %s", got.code, got.messages)
	}
}

// TestVerify_neverEndsWithZero verifies services at which nothing works, or at which a
// key without rights can write. The report begins with a line of its own.
func TestVerify_neverEndsWithZero(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		mistake serving
		code    int
		want    string
	}{
		"nothing agrees": {func(_ *testserver.Server, w http.ResponseWriter, r *http.Request) {
			if w.WriteHeader(http.StatusOK); r.Method == http.MethodGet {
				_, _ = io.WriteString(w, "{}")
			}
		}, 2, "No response to a request that should succeed is as documented"},
		"a read-only key writes": {func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") == "Bearer read-only-key" {
				r.Header.Set("Authorization", "Bearer "+s.AdminKey)
			}
			s.ServeHTTP(w, r)
		}, 1, "A key can do what it has no right to do: "},
		"everything fails": {func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
			if s.Stats().Total < 3 {
				s.ServeHTTP(w, r)
				return
			}
			w.WriteHeader(http.StatusInternalServerError)
		}, 2, "the service fails: 30 responses in a row"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, _ := foreign(t, test.mistake, "-only", "reserved_address")
			cmd.Env = append(cmd.Env, "TUNNEL_READ_ONLY_API_KEY=read-only-key")
			begin := time.Now()
			got := runVerify(cmd)
			if got.code != test.code || !strings.Contains(got.out+got.messages, test.want) {
				t.Errorf("exit code %d: %s%s", got.code, got.out, got.messages)
			}
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}
