package testserver

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
)

// handwritten is a service that shares no code with the test server. It stores what it
// gets, and decides ten open points otherwise.
type handwritten struct {
	mutex   sync.Mutex
	objects map[string]map[string]any // by path
	paths   []string                  // oldest first
	modules map[string]json.RawMessage
}

// otherwise are the points that the service decides otherwise.
var otherwise = []string{
	"acl_upper",
	"credential_key_as_sent",
	"domain_lower",
	"error_code_absent",
	"forbidden_403",
	"list_oldest_first",
	"never_set_empty",
	"text_trimmed",
	"times_fraction",
	"unset_module_object",
}

func (h *handwritten) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	raw, _ := io.ReadAll(r.Body)
	status, answer := h.answer(r, raw)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if status != http.StatusNoContent {
		_ = json.NewEncoder(w).Encode(answer)
	}
}

func refused(status int) (int, any) {
	return status, map[string]any{"status_code": status, "msg": "refused", "details": map[string]string{}}
}

func (h *handwritten) answer(r *http.Request, raw []byte) (int, any) {
	path, method := r.URL.Path, r.Method
	members := map[string]any{}
	object, exists := h.objects[path]
	switch {
	case r.Header.Get("Authorization") != "Bearer secret":
		return refused(http.StatusForbidden)
	case strings.HasSuffix(path, "/policy"):
		return h.module(method, path, raw)
	case method != http.MethodGet && method != http.MethodDelete && json.Unmarshal(raw, &members) != nil:
		return refused(http.StatusBadRequest)
	case method == http.MethodPost:
		path += fmt.Sprintf("/x_%d", len(h.paths))
		object = map[string]any{"id": path[strings.LastIndex(path, "/")+1:], "uri": "http://localhost" + path, "created_at": "2026-01-01T00:00:00.000000Z"}
		object["description"], object["metadata"] = "", ""
		switch r.URL.Path {
		case "/backends/failover":
			object["backends"] = []any{}
		case tunnelGroupPath:
			object["labels"], object["tunnels"] = map[string]any{}, []any{}
		}
		h.objects[path], h.paths = object, append(h.paths, path)
		keep(object, members)
		return http.StatusCreated, object
	case method == http.MethodGet && exists:
		return http.StatusOK, object
	case method == http.MethodPatch && exists:
		if strings.HasPrefix(path, "/backends/failover") {
			object["backends"] = []any{}
		}
		keep(object, members)
		return http.StatusOK, object
	case method == http.MethodDelete && exists:
		delete(h.objects, path)
		return http.StatusNoContent, nil
	case method == http.MethodGet && slices.Contains([]string{"/backends/http_response", tunnelGroupPath}, path):
		return http.StatusOK, h.list(path)
	}
	return refused(http.StatusNotFound)
}

const tunnelGroupPath = "/backends/tunnel_group"

func (h *handwritten) list(path string) any {
	var all []any
	for _, each := range h.paths {
		if object, exists := h.objects[each]; exists && strings.HasPrefix(each, path+"/") {
			all = append(all, object)
		}
	}
	return map[string]any{"backends": all, "uri": "http://localhost" + path, "next_page_uri": nil}
}

func (h *handwritten) module(method, path string, raw []byte) (int, any) {
	switch method {
	case http.MethodDelete:
		delete(h.modules, path)
		return http.StatusNoContent, nil
	case http.MethodPut:
		h.modules[path] = raw
	}
	if h.modules[path] == nil {
		return http.StatusOK, struct{}{}
	}
	return http.StatusOK, h.modules[path]
}

// keep sets members as this service keeps them.
func keep(object, members map[string]any) {
	for name, value := range members {
		text, _ := value.(string)
		list, _ := value.([]any)
		switch name {
		case "description", "metadata":
			value = strings.TrimSpace(text)
		case "domain":
			value = strings.ToLower(text)
		case "public_key":
			object["certificate"] = "certificate"
		case "valid_after", "valid_until":
			value = strings.Replace(text, "Z", ".000000Z", 1)
		case "acl":
			for i := range list {
				rule, _ := list[i].(string)
				list[i] = strings.Replace(strings.ToUpper(rule), "BIND:", "bind:", 1)
			}
		}
		object[name] = value
	}
}

// TestProfile_handwrittenService recovers what a service decides otherwise that
// shares no code with the test server, and finds the same on a server like it.
func TestProfile_handwrittenService(t *testing.T) {
	t.Parallel()
	service := &handwritten{objects: map[string]map[string]any{}, modules: map[string]json.RawMessage{}}
	run := conformance.New(t.Context(), conformance.Config{
		Document: apiContract(), Base: "http://localhost", Transport: conformance.Handler(service), Key: "secret", Mark: "tunnel-verify-handwritten",
	})
	p, err := run.Profile("handwritten")
	if err != nil {
		t.Fatal(err)
	}
	found := slices.Sorted(slices.Values(slices.Concat(p.Quirks, p.Rules)))
	equal(t, "what is decided otherwise", found, otherwise)
	if err := run.Clean(t.Context()); err != nil || len(service.objects) > 0 {
		t.Errorf("%v: it left %v", err, slices.Collect(maps.Keys(service.objects)))
	}
	equal(t, "differences of a server like it", profileOf(t, like(p.Quirks, p.Rules)...).Differences(p), []string(nil))
}
