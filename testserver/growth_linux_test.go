package testserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
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
	var backends []string
	for i := range most {
		backends = append(backends, s.Create("/backends/http_response", "{}"))
		s.Create("/reserved_domains", fmt.Sprintf(`{"domain": "host-%d.example.com"}`, i))
	}
	texts := func(format string) (all []string) {
		for i := range most {
			all = append(all, fmt.Sprintf(format, i))
		}
		return all
	}
	key := s.SeedSSHCredentials(1)[0]
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, test := range []struct {
		method, path, field string
		elements            []string
	}{
		{http.MethodPatch, "/edges/https/" + s.Parents.HTTPSEdge, "hostports", texts("host-%d.example.com:443")},
		{http.MethodPatch, "/ssh_credentials/" + key, "acl", texts("bind:host-%d.example.com")},
		{http.MethodPost, "/backends/failover", "backends", backends},
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
			begin := cpu()
			answer := inner(s, test.method, test.path, string(body))
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
