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
	"os/exec"
	"strings"
	"testing"

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

// changed serves a request, and changes the object in its response.
func changed(s *testserver.Server, w http.ResponseWriter, r *http.Request, change func(status int, object map[string]any)) {
	got := httptest.NewRecorder()
	s.ServeHTTP(got, r)
	body := got.Body.Bytes()
	var object map[string]any
	if json.Unmarshal(body, &object) == nil && object != nil {
		change(got.Code, object)
		body, _ = json.Marshal(object)
	}
	maps.Copy(w.Header(), got.Header())
	w.Header().Del("Content-Length")
	w.WriteHeader(got.Code)
	_, _ = w.Write(body)
}

// bodyOf returns the body of a request, which can be read again.
func bodyOf(r *http.Request) (members map[string]any) {
	raw, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(raw))
	_ = json.Unmarshal(raw, &members)
	return members
}

// refuseField answers that a request cannot have a field.
func refuseField(w http.ResponseWriter, field string) {
	id := "op_" + rand.Text()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Tunnel-Operation-Id", id)
	w.WriteHeader(http.StatusBadRequest)
	const body = `{"error_code":"ERR_TUNNEL_400","status_code":400,"msg":"no","details":{"field":%q,"operation_id":%q}}`
	_, _ = fmt.Fprintf(w, body, field, id)
}

// withoutRestrictions is a service that does not have ip_restriction at all.
func withoutRestrictions(change func(object map[string]any)) serving {
	return func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
		members := bodyOf(r)
		switch _, given := members["ip_restriction"]; {
		case strings.HasSuffix(r.URL.Path, "/ip_restriction"):
			r.URL.Path = "/none"
		case given && byAdmin(s, r) && r.Header.Get("Service-Version") == "2":
			refuseField(w, "ip_restriction")
			return
		}
		changed(s, w, r, func(_ int, object map[string]any) {
			delete(object, "ip_restriction")
			change(object)
		})
	}
}

func byAdmin(s *testserver.Server, r *http.Request) bool {
	return r.Header.Get("Authorization") == "Bearer "+s.AdminKey
}

// TestVerify_strangeServices verifies services that do something else than they say. The
// objects that are left are named, and the exit code is never 0.
func TestVerify_strangeServices(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		only     string
		code     int
		want     string // in the report or the messages
		unwanted string // in the report
		service  serving
	}{
		"deletes nothing": {"reserved_address", 2, "objects with the mark are left, although their DELETE was sent: /reserved_addrs/ra_", "", func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodDelete && byAdmin(s, r) {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			s.ServeHTTP(w, r)
		}},
		"offers one kind": {"", 2, " x not offered (status 404), so its rules were not tried|/backends/failover, /backends/http_response, ", "These differences break clients", func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/reserved_addrs") {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			s.ServeHTTP(w, r)
		}},
		"does not offer the kind": {"bot_user", 2, "does not offer this kind", "", func(_ *testserver.Server, w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
		}},
		"nothing agrees": {"reserved_address", 2, "No response to a request that should succeed is as documented", "", func(_ *testserver.Server, w http.ResponseWriter, r *http.Request) {
			if w.WriteHeader(http.StatusOK); r.Method == http.MethodGet {
				_, _ = io.WriteString(w, "{}")
			}
		}},
		"a read-only key writes": {"reserved_address", 1, "A key can do what it has no right to do: ", "", func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
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
		// The kind does not look broken, and a mistake of it is seen.
		"lacks an extension": {
			"tcp_edge", codeIncomplete, " 0 differ, 0 are decided otherwise, |the service refuses ip_restriction (status 400), so it was omitted", "",
			withoutRestrictions(func(map[string]any) {}),
		},
		"lacks it, and differs": {"tcp_edge", codeDifferences, "description as sent", "", withoutRestrictions(func(object map[string]any) {
			if object["description"] != nil && object["uri"] != nil {
				object["description"] = "of the service"
			}
		})},
		// One difference for each operation.
		"refuses a member of the contract": {"failover_backend", codeDifferences, "PATCH /backends/failover/{id}, the service accepts metadata (contract)", "", func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
			if members := bodyOf(r); members["metadata"] != nil && r.Method == http.MethodPatch && byAdmin(s, r) {
				refuseField(w, "metadata")
				return
			}
			s.ServeHTTP(w, r)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, s := foreign(t, test.service, "-only", test.only)
			cmd.Env = append(cmd.Env, "TUNNEL_READ_ONLY_API_KEY=")
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
			if got.code != test.code || test.unwanted != "" && strings.Contains(got.out, test.unwanted) || left != (name == "deletes nothing") {
				t.Errorf("exit code %d, left %v: %s%s", got.code, left, got.out, got.messages)
			}
		})
	}
}
