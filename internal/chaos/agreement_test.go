package chaos

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// A holding is what a state has of one object.
type holding struct {
	address string
	path    string // where it is at the service
	values  map[string]any
}

// paths tell where the service has an object of each type, by its attributes.
var paths = map[string]string{
	"tunnel_ssh_host_certificate":                     "/ssh_host_certificates/{id}",
	"tunnel_ssh_credential":                           "/ssh_credentials/{id}",
	"tunnel_tls_certificate":                          "/tls_certificates/{id}",
	"tunnel_group_backend":                            "/backends/tunnel_group/{id}",
	"tunnel_failover_backend":                         "/backends/failover/{id}",
	"tunnel_event_source":                             "/event_subscriptions/{subscription_id}/sources/{type}",
	"tunnel_tls_edge_policy":                          "/edges/tls/{edge_id}/policy",
	"tunnel_tcp_edge_policy":                          "/edges/tcp/{edge_id}/policy",
	"tunnel_https_edge_route_compression":             "/edges/https/{edge_id}/routes/{route_id}/compression",
	"tunnel_https_edge_route_websocket_tcp_converter": "/edges/https/{edge_id}/routes/{route_id}/websocket_tcp_converter",
}

// state returns what the state holds, by the path at the service. One path that
// is held twice fails the test.
func (tf *terraform) state() map[string]holding {
	tf.t.Helper()
	var state struct {
		Resources []struct {
			Type, Name string
			Instances  []struct {
				Key        any            `json:"index_key"`
				Attributes map[string]any `json:"attributes"`
			}
		}
	}
	text := tf.read("state", "pull")
	if err := json.Unmarshal([]byte(text), &state); text != "" && err != nil {
		tf.t.Fatal(err)
	}
	held := map[string]holding{}
	for _, resource := range state.Resources {
		for _, instance := range resource.Instances {
			path := paths[resource.Type]
			for name, value := range instance.Attributes {
				if text, ok := value.(string); ok {
					path = strings.ReplaceAll(path, "{"+name+"}", text)
				}
			}
			h := holding{fmt.Sprintf("%s.%s[%v]", resource.Type, resource.Name, instance.Key), path, instance.Attributes}
			if other, twice := held[path]; twice {
				tf.t.Errorf("%s and %s are both %s", other.address, h.address, path)
			}
			held[path] = h
		}
	}
	return held
}

// there returns the paths of everything that the service holds of an estate.
func (e *estate) there(s *testserver.Server) map[string]bool {
	found := map[string]bool{}
	for _, list := range []string{"/ssh_host_certificates", "/ssh_credentials", "/tls_certificates", "/backends/tunnel_group", "/backends/failover"} {
		for _, object := range s.List(list) {
			found[list+"/"+fmt.Sprint(object["id"])] = true
		}
	}
	for _, subscription := range e.Subscriptions {
		list := "/event_subscriptions/" + subscription + "/sources"
		for _, source := range s.List(list) {
			found[list+"/"+fmt.Sprint(source["type"])] = true
		}
	}
	var modules []string
	for i := range e.TLSEdges {
		route := "/edges/https/" + e.HTTPSEdge + "/routes/" + e.Routes[i]
		modules = append(modules, "/edges/tls/"+e.TLSEdges[i]+"/policy", "/edges/tcp/"+e.TCPEdges[i]+"/policy", route+"/compression", route+"/websocket_tcp_converter")
	}
	for _, module := range modules {
		if s.Exists(module) {
			found[module] = true
		}
	}
	return found
}

// An agreement is how state and service compare.
type agreement struct {
	objects    int      // at the service
	orphans    []string // at the service and in no state
	missing    []string // in the state and not at the service
	mismatches []string // fields that differ
}

func (a *agreement) perfect(size int) bool {
	return a.objects == size && len(a.orphans)+len(a.missing)+len(a.mismatches) == 0
}

func (a *agreement) String() string {
	return fmt.Sprintf("%d objects, %d orphans %v, %d missing %v, %d mismatches\n%s", a.objects, len(a.orphans), a.orphans,
		len(a.missing), a.missing, len(a.mismatches), strings.Join(a.mismatches, "\n"))
}

// agreement compares state and service, field by field.
func (e *estate) agreement(s *testserver.Server, tf *terraform) *agreement {
	tf.t.Helper()
	held, there := tf.state(), e.there(s)
	a := &agreement{objects: len(there)}
	for _, path := range slices.Sorted(maps.Keys(there)) {
		h, ok := held[path]
		if !ok {
			a.orphans = append(a.orphans, path)
			continue
		}
		object := s.Get(path)
		for name, value := range object {
			if stated, ok := h.values[name]; ok {
				if diff := cmp.Diff(plain(value), plain(stated)); diff != "" {
					a.mismatches = append(a.mismatches, fmt.Sprintf("%s %s (-service +state):\n%s", h.address, name, diff))
				}
			}
		}
	}
	for path := range held {
		if !there[path] {
			a.missing = append(a.missing, path)
		}
	}
	return a
}

// plain brings a value to one form: empty ones are nil, sets are sorted, JSON in
// a string is what it says, times are in UTC, and white space around texts is
// gone.
func plain(value any) any {
	switch value := value.(type) {
	case string:
		var object map[string]any
		if strings.HasPrefix(value, "{") && json.Unmarshal([]byte(value), &object) == nil {
			return plain(object)
		}
		if instant, err := time.Parse(time.RFC3339, value); err == nil {
			return instant.UTC().Format(time.RFC3339Nano)
		}
		if value = strings.TrimSpace(value); value == "" {
			return nil
		}
		return value
	case map[string]any:
		members := map[string]any{}
		for name, member := range value {
			if member = plain(member); member != nil {
				members[name] = member
			}
		}
		if len(members) == 0 {
			return nil
		}
		return members
	case []any:
		if len(value) == 0 {
			return nil
		}
		elements := make([]any, len(value))
		for i, element := range value {
			elements[i] = plain(element)
		}
		slices.SortStableFunc(elements, func(a, b any) int { return strings.Compare(sortKey(a), sortKey(b)) })
		return elements
	}
	return value
}

func sortKey(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return ""
}
