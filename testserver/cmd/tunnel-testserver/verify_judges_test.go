package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// answered serves a request, and changes the object in its response.
func answered(s *testserver.Server, w http.ResponseWriter, r *http.Request, change func(status int, object map[string]any)) {
	got := httptest.NewRecorder()
	s.ServeHTTP(got, r)
	body := got.Body.Bytes()
	var object map[string]any
	if json.Unmarshal(body, &object) == nil && object != nil {
		change(got.Code, object)
		body, _ = json.Marshal(object)
	}
	for _, name := range []string{"Content-Type", "Tunnel-Operation-Id", "Allow"} {
		if value := got.Header().Get(name); value != "" {
			w.Header().Set(name, value)
		}
	}
	w.WriteHeader(got.Code)
	_, _ = w.Write(body)
}

// bodyOf returns the body of a request, which can be read again.
func bodyOf(r *http.Request) (members map[string]any) {
	raw, _ := io.ReadAll(r.Body)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
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
func withoutRestrictions(s *testserver.Server, w http.ResponseWriter, r *http.Request, change func(status int, object map[string]any)) {
	switch _, given := bodyOf(r)["ip_restriction"]; {
	case strings.HasSuffix(r.URL.Path, "/ip_restriction"):
		r.URL.Path = "/none"
	case given && r.Header.Get("Authorization") == "Bearer "+s.AdminKey && r.Header.Get("Service-Version") == "2":
		refuseField(w, "ip_restriction")
		return
	}
	answered(s, w, r, func(status int, object map[string]any) {
		delete(object, "ip_restriction")
		change(status, object)
	})
}

// TestVerify_leavesOutWhatIsRefused verifies a service that lacks an extension: the kind
// does not look broken, and a mistake of the kind is seen.
func TestVerify_leavesOutWhatIsRefused(t *testing.T) {
	t.Parallel()
	cmd, _ := foreign(t, func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
		withoutRestrictions(s, w, r, func(int, map[string]any) {})
	}, "-only", "tcp_edge")
	got := runVerify(cmd)
	if got.code != codeIncomplete || !strings.Contains(got.out, " 0 differ, 0 are decided otherwise, ") ||
		!strings.Contains(got.out, "the service refuses ip_restriction (status 400), so it was left out") {
		t.Errorf("exit code %d: %s%s", got.code, got.out, got.messages)
	}
	cmd, _ = foreign(t, func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
		withoutRestrictions(s, w, r, func(_ int, object map[string]any) {
			if object["description"] != nil && object["uri"] != nil {
				object["description"] = "of the service"
			}
		})
	}, "-only", "tcp_edge")
	if got = runVerify(cmd); got.code != codeDifferences || !strings.Contains(got.out, "description as sent") {
		t.Errorf("exit code %d: %s%s", got.code, got.out, got.messages)
	}
}

// TestVerify_refusedMemberOfTheContract: a refused member that the documentation has is a
// difference, one for each operation.
func TestVerify_refusedMemberOfTheContract(t *testing.T) {
	t.Parallel()
	cmd, _ := foreign(t, func(s *testserver.Server, w http.ResponseWriter, r *http.Request) {
		if _, given := bodyOf(r)["metadata"]; given && r.Method == http.MethodPatch && r.Header.Get("Authorization") == "Bearer "+s.AdminKey {
			refuseField(w, "metadata")
			return
		}
		s.ServeHTTP(w, r)
	}, "-only", "failover_backend")
	got := runVerify(cmd)
	const want = "PATCH /backends/failover/{id}, the service accepts metadata (contract)"
	if got.code != codeDifferences || !strings.Contains(got.out, want) {
		t.Errorf("exit code %d: %s%s", got.code, got.out, got.messages)
	}
}
