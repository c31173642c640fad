package testserver

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/faults"
)

// existing returns the path of a route, with objects in it.
func (run *conformance) existing(route string) string {
	if document().Paths.Value(route+"/{id}") == nil {
		return run.path(route)
	}
	item := run.path(route + "/{id}")
	return item[:strings.LastIndex(item, "/")]
}

// requestBody returns a body with all fields, or with the required ones.
func (run *conformance) requestBody(route, method string, all bool) string {
	operation := document().Paths.Value(route).GetOperation(method)
	if operation.RequestBody == nil {
		return ""
	}
	input := shapeOf(run.tree, map[string]any{"$ref": operation.RequestBody.Value.Content[mediaType].Schema.Ref})
	body := run.samples.object(input)
	for name := range body {
		if !all && !slices.Contains(input.required, name) || name == "private_key_type" { // generating RSA keys is slow
			delete(body, name)
		}
	}
	return asJSON(body)
}

// quirksOf returns the members of GET responses that change with quirks.
func quirksOf(t *testing.T, route string) map[string]bool {
	t.Helper()
	s := New()
	run := newConformance(t, s, s)
	path, changed := run.existing(route), map[string]bool{}
	compare := func() {
		s.ClearQuirks()
		plain := run.get(path)
		s.SetQuirks(1)
		for range 60 {
			differences("", plain, run.get(path), changed)
		}
		s.ClearQuirks()
	}
	compare()
	for _, all := range []bool{true, false} {
		if document().Paths.Value(route).Put != nil {
			s.Put(path, run.requestBody(route, http.MethodPut, all))
			compare()
		}
	}
	if list, isItem := strings.CutSuffix(route, "/{id}"); isItem {
		collection := path[:strings.LastIndex(path, "/")]
		path = collection + "/" + s.Create(collection, run.requestBody(list, http.MethodPost, false))
		compare()
	}
	return changed
}

func (run *conformance) get(path string) map[string]any {
	r := httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil)
	r.Header.Set("Authorization", "Bearer "+run.server.AdminKey)
	r.Header.Set("Service-Version", "2")
	recorder := httptest.NewRecorder()
	run.handler.ServeHTTP(recorder, r)
	var body any
	if err := json.Unmarshal(recorder.Body.Bytes(), &body); err != nil {
		run.failed("GET %s: %v", path, err)
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
// route, of those that need no HTTP/2.
func faultsOf(t *testing.T, route string) int {
	t.Helper()
	s := Start(t)
	run := newConformance(t, s, s)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	path, count := "", 0
	for _, kind := range faults.Kinds() {
		rule := Fault{Kind: kind, Route: route}
		if _, err := ParseFaults([]byte(asJSON([]Fault{rule}))); err != nil && strings.HasSuffix(err.Error(), "delay is required") {
			rule.Delay = time.Hour
		}
		if kind == FaultDelay || kind == FaultSlow {
			rule.Delay = time.Millisecond
		}
		if path == "" || strings.HasSuffix(route, "}") && !s.Exists(path) {
			path = run.existing(route)
		}
		s.ResetStats()
		s.SetFaults(rule)
		for _, method := range []string{"PUT", "POST", "GET", "PATCH", "DELETE"} {
			if document().Paths.Value(route).GetOperation(method) == nil || s.Stats().Faults > 0 {
				continue
			}
			for range 2 {
				response, err := client.Do(request(t, s, method, path, run.requestBody(route, method, true)))
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
