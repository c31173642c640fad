package testserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestCollections_linearTime checks that a request does not take quadratic time for the
// elements of a list or map. Four times as many elements may take up to eight times as
// long, because a machine is sometimes slow.
func TestCollections_linearTime(t *testing.T) {
	t.Parallel()
	const most, noise = 10_000, 20 * time.Millisecond
	s := New(WithBehavior("require_reserved"))
	ids := map[string][]string{}
	for i := range most {
		for _, path := range []string{"/ip_policies", "/event_destinations", "/backends/http_response", "/reserved_domains"} {
			body := "{}"
			switch path {
			case "/event_destinations":
				body = `{"format": "json", "target": {"debug": {"log": true}}}`
			case "/reserved_domains":
				body = fmt.Sprintf(`{"domain": "host-%d.example.com"}`, i)
			}
			ids[path] = append(ids[path], s.Create(path, body))
		}
	}
	texts := func(format string) (all []string) {
		for i := range most {
			all = append(all, fmt.Sprintf(format, i))
		}
		return all
	}
	route := "/edges/https/" + s.CreateHTTPSEdge()
	route += "/routes/" + s.Create(route+"/routes", `{"match": "/", "match_type": "path_prefix"}`)
	key := s.SeedSSHCredentials(1)[0]
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, test := range []struct {
		method, path, field string
		elements            []string
	}{
		{http.MethodPost, "/edges/https", "hostports", texts("host-%d.example.com:443")},
		{http.MethodPatch, "/ssh_credentials/" + key, "acl", texts("bind:host-%d.example.com")},
		{http.MethodPost, "/event_subscriptions", "destination_ids", ids["/event_destinations"]},
		{http.MethodPost, "/backends/failover", "backends", ids["/backends/http_response"]},
		{http.MethodPut, route + "/ip_restriction", "ip_policy_ids", ids["/ip_policies"]},
		{http.MethodPost, "/backends/tunnel_group", "labels", texts("key-%d")},
		{http.MethodPost, "/backends/http_response", "headers", texts("key-%d")},
	} {
		send := func(n int) time.Duration {
			var value any = test.elements[:n]
			if test.field == "labels" || test.field == "headers" {
				pairs := map[string]string{}
				for _, key := range test.elements[:n] {
					pairs[key] = "value"
				}
				value = pairs
			}
			body, _ := json.Marshal(map[string]any{test.field: value})
			r := httptest.NewRequest(test.method, test.path, strings.NewReader(string(body)))
			r.Header.Set("Authorization", "Bearer "+s.AdminKey)
			r.Header.Set("Service-Version", "2")
			r.Header.Set("Content-Type", "application/json")
			answer := httptest.NewRecorder()
			begin := cpu()
			s.ServeHTTP(answer, r)
			took := cpu() - begin
			if answer.Code >= http.StatusBadRequest {
				t.Fatalf("%s: %d %s", test.path, answer.Code, answer.Body)
			}
			return took
		}
		for try := 1; ; try++ {
			few, many := send(most/4), send(most)
			t.Logf("%s: %s for %d, %s for %d", test.field, few, most/4, many, most)
			if many <= 8*few+noise {
				break
			}
			if try == 2 {
				t.Errorf("%s of %s: %s for %d elements, %s for %d", test.field, test.path, few, most/4, many, most)
				break
			}
		}
	}
}

// cpu returns the CPU time of this thread.
func cpu() time.Duration {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now)
	return time.Duration(now.Nano())
}
