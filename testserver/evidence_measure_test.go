package testserver

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/faults"
)

// existing returns the path of a route, with objects in it.
func existing(t *testing.T, run *conformance.Run, route string) string {
	t.Helper()
	isList := document().Paths.Value(route+"/{id}") != nil
	if isList {
		route += "/{id}"
	}
	path, err := run.Path(route)
	if err != nil {
		t.Fatal(err)
	}
	if isList {
		path = path[:strings.LastIndex(path, "/")]
	}
	return path
}

// requestBody returns a body with all fields, or with the required ones.
func requestBody(run *conformance.Run, route, method string, all bool) string {
	body := run.Sample(route, method, all)
	if body == nil {
		return ""
	}
	delete(body, "private_key_type") // generating RSA keys is slow
	return asJSON(body)
}

// outOfBand returns a handler whose requests are not those of a client.
func outOfBand(s *Server) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // in memory
		s.processOutOfBand(r, r.URL.Path, body, false).Send(w)
	})
}

// quirksOf returns the members of GET responses that change with quirks.
func quirksOf(t *testing.T, route string) map[string]bool {
	t.Helper()
	s := New()
	run := newConformance(s, s)
	path, changed := existing(t, run, route), map[string]bool{}
	compare := func() {
		s.ClearQuirks()
		plain := getAnswer(t, s, path)
		s.SetQuirks(1)
		for range 60 {
			differences("", plain, getAnswer(t, s, path), changed)
		}
		s.ClearQuirks()
	}
	compare()
	for _, all := range []bool{true, false} {
		if document().Paths.Value(route).Put != nil {
			s.Put(path, requestBody(run, route, http.MethodPut, all))
			compare()
		}
	}
	if list, isItem := strings.CutSuffix(route, "/{id}"); isItem {
		collection := path[:strings.LastIndex(path, "/")]
		path = collection + "/" + s.Create(collection, requestBody(run, list, http.MethodPost, false))
		compare()
	}
	return changed
}

// getAnswer returns the response to a GET with quirks.
func getAnswer(t *testing.T, s *Server, path string) map[string]any {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil)
	r.Header.Set("Authorization", "Bearer "+s.AdminKey)
	r.Header.Set("Service-Version", "2")
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, r)
	var body any
	if err := json.Unmarshal(recorder.Body.Bytes(), &body); err != nil {
		t.Errorf("GET %s: %v", path, err)
	}
	return map[string]any{"status": recorder.Code, "body": body}
}

// differences adds the members that differ. All undocumented members are one.
func differences(at string, a, b any, changed map[string]bool) {
	if list, isList := a.([]any); isList && len(list) == 1 {
		if other, isList := b.([]any); isList && len(other) == 1 {
			differences(at+"[]", list[0], other[0], changed)
			return
		}
	}
	as, aIsObject := a.(map[string]any)
	bs, bIsObject := b.(map[string]any)
	if !aIsObject || !bIsObject {
		if !reflect.DeepEqual(a, b) {
			changed[at] = true
		}
		return
	}
	for name := range maps.Keys(bs) {
		if _, there := as[name]; !there {
			if strings.HasPrefix(name, "x_") {
				name = "x_"
			}
			changed[at+"."+name] = true
		}
	}
	for name, value := range as {
		differences(at+"."+name, value, bs[name], changed)
	}
}

// faultsOf returns the number of kinds of faults that change a response of a
// route, of those that need no HTTP/2 and no release.
func faultsOf(t *testing.T, route string) int {
	t.Helper()
	s := Start(t)
	run := newConformance(s, outOfBand(s))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	path, count := "", 0
	for _, kind := range faults.Kinds() {
		if kind == FaultHold || kind == FaultHoldAfter {
			continue
		}
		rule := Fault{Kind: kind, Route: route}
		if _, err := ParseFaults([]byte(asJSON([]Fault{rule}))); err != nil && strings.HasSuffix(err.Error(), "delay is required") {
			rule.Delay = time.Hour
		}
		if kind == FaultDelay || kind == FaultSlow {
			rule.Delay = time.Millisecond
		}
		if path == "" || strings.HasSuffix(route, "}") && !s.Exists(path) {
			path = existing(t, run, route)
		}
		s.ResetStats()
		s.SetFaults(rule)
		for _, method := range []string{"PUT", "POST", "GET", "PATCH", "DELETE"} {
			if document().Paths.Value(route).GetOperation(method) == nil || s.Stats().Faults > 0 {
				continue
			}
			for range 2 {
				response, err := client.Do(request(t, s, method, path, requestBody(run, route, method, true)))
				if err != nil {
					continue // the effect of some faults
				}
				_, _ = io.CopyN(io.Discard, response.Body, 1<<16)
				_ = response.Body.Close()
			}
		}
		if s.Stats().Faults > 0 {
			count++
		}
		s.SetFaults()
	}
	return count
}
