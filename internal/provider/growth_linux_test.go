package provider_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/sys/unix"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// A collection is an attribute with any number of elements.
type collection struct {
	kind, attribute string
	elements
}

// elements are those of a collection.
type elements struct {
	// value returns n elements, of which last is the last.
	value func(n int, last string) any
	few   int // what the growth is measured from
}

// The plugin framework is much slower for elements that are objects.
const manyTexts, manyParts, manyRules = 700, 120, 50

func texts(format string) func(int, string) any {
	return func(n int, last string) any {
		all := make([]any, n)
		for i := range all {
			all[i] = fmt.Sprintf(format, fmt.Sprint(i))
		}
		all[n-1] = fmt.Sprintf(format, last)
		return all
	}
}

func texted(of func(text string) any) func(int, string) any {
	return func(n int, last string) any {
		all := texts("%s")(n, last).([]any)
		for i, text := range all {
			all[i] = of(text.(string))
		}
		return all
	}
}

func keyed(format string) func(int, string) any {
	return func(n int, last string) any {
		all := body{}
		for _, key := range texts(format)(n, last).([]any) {
			all[key.(string)] = "value"
		}
		return all
	}
}

// inRule returns the values of a list in the only rule of a policy.
func inRule(name string, value func(int, string) any) func(int, string) any {
	return func(n int, last string) any {
		rule := body{"expressions": []any{}, "actions": []any{body{"type": "log"}}}
		rule[name] = value(n, last)
		return []any{rule}
	}
}

func logged(text string) any {
	return body{"type": "log", "config": `{"metadata":{"n":"` + text + `"}}`}
}

// byAttribute has the elements of each collection that can be configured, by the path of
// the attribute.
var byAttribute = map[string]elements{
	"hostports":       {texts("host-%s.example.com:443"), manyTexts},
	"acl":             {texts("bind:host-%s.example.com"), manyTexts},
	"principals":      {texts("host-%s.example.com"), manyTexts},
	"ip_policy_ids":   {texts("ipp_%s"), manyTexts},
	"destination_ids": {texts("ed_%s"), manyTexts},
	"backends":        {texts("bkdhr_%s"), manyTexts},
	"labels":          {keyed("key-%s"), manyTexts},
	"headers":         {keyed("key-%s"), manyTexts},
	"inbound": {texted(func(text string) any {
		return body{"name": text, "expressions": []any{"conn.client_ip == '192.0.2.1'"}, "actions": []any{logged("a")}}
	}), manyRules},
	"inbound.expressions": {inRule("expressions", texts("conn.client_ip == '2001:db8::' || conn.tls.sni == '%s'")), manyParts},
	"inbound.actions":     {inRule("actions", texted(logged)), manyParts},
}

// collections returns the collections of the arguments of all kinds, one of each name,
// because kinds with the same attribute share its code. It checks that none is a set.
func collections(t *testing.T, p *acctest.Protocol) []collection {
	t.Helper()
	var all []collection
	seen := map[string]bool{}
	for _, kind := range slices.Sorted(maps.Keys(p.Schema.ResourceSchemas)) {
		var find func(of tftypes.Type, at string)
		find = func(of tftypes.Type, at string) {
			var inner tftypes.Type
			switch of := of.(type) {
			case tftypes.Object:
				for _, member := range slices.Sorted(maps.Keys(of.AttributeTypes)) {
					find(of.AttributeTypes[member], at+"."+member)
				}
				return
			case tftypes.Map:
				inner = of.ElementType
			case tftypes.List:
				inner = of.ElementType
			default:
				if of.Is(tftypes.Set{}) {
					t.Errorf("%s: %s is a set, and the plugin framework compares all pairs of elements", kind, at)
				}
				return
			}
			given, ok := byAttribute[strings.Replace(at, "outbound", "inbound", 1)]
			if !ok {
				t.Errorf("%s: %s has no elements: add some to byAttribute", kind, at)
			} else if !seen[at] {
				all = append(all, collection{kind, at, given})
			}
			seen[at] = true
			find(inner, at)
		}
		for _, attribute := range p.Schema.ResourceSchemas[kind].Block.Attributes {
			if attribute.Optional || attribute.Required {
				find(attribute.ValueType(), attribute.Name)
			}
		}
	}
	return all
}

// startForced starts a server that accepts whatever it can store: the test server has
// limits for the elements of some collections.
func startForced(t *testing.T) (*acctest.Env, *acctest.Protocol) {
	t.Helper()
	w := acctest.Start(t)
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		status, at := http.StatusOK, r.URL.Path
		switch r.Method {
		case http.MethodPost:
			status, at = http.StatusCreated, path.Join(at, w.ForceCreate(at, string(sent)))
		case http.MethodPatch:
			w.ForceEdit(at, string(sent))
		case http.MethodPut:
			w.ForcePut(at, string(sent))
		}
		found, object := w.Do(http.MethodGet, at+"?"+r.URL.RawQuery, "")
		rw.Header().Set("Content-Type", "application/json")
		rw.WriteHeader(max(status, found))
		_ = json.NewEncoder(rw).Encode(object)
	}))
	t.Cleanup(front.Close)
	p := acctest.NewProtocol(t)
	p.Configure(arguments{"base_url": text(front.URL), "api_key": text(w.AdminKey)})
	return w, p
}

// needed returns the other arguments of a new object.
func needed(t *testing.T, w *acctest.Env, kind string) body {
	t.Helper()
	switch {
	case strings.HasPrefix(kind, "tunnel_tls_edge_"):
		return body{"edge_id": w.CreateTLSEdge()}
	case strings.HasPrefix(kind, "tunnel_tcp_edge_"):
		return body{"edge_id": w.CreateTCPEdge()}
	case strings.HasPrefix(kind, "tunnel_https_edge_route_"):
		edge := w.CreateHTTPSEdge()
		return body{"edge_id": edge, "route_id": w.CreateHTTPSEdgeRoute(edge)}
	case kind == "tunnel_ssh_credential":
		return body{"public_key": testcert.PublicKey(t, "")}
	case kind == "tunnel_ssh_host_certificate":
		return body{"public_key": testcert.PublicKey(t, ""), "ssh_certificate_authority_id": w.Parents.SSHCertificateAuthority}
	}
	return body{}
}

// cpu returns the CPU time of this thread, which is that of the provider: a server and
// connections have their own goroutines.
func cpu() time.Duration {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now)
	return time.Duration(now.Nano())
}

// measure returns the CPU time of each operation on an object with n elements.
func (c collection) measure(t *testing.T, w *acctest.Env, p *acctest.Protocol, n int) map[string]time.Duration {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	took := map[string]time.Duration{}
	timed := func(what string, do func()) {
		t.Helper()
		begin := cpu()
		do()
		took[what] = cpu() - begin
	}
	of, given := p.Type(c.kind), needed(t, w, c.kind)
	config := func(value any) tftypes.Value {
		root, _, _ := strings.Cut(c.attribute, ".")
		given[root] = value
		return acctest.FromJSON(of, given)
	}
	first, changed, state := config(c.value(n, "last")), config(c.value(n, "changed")), tftypes.NewValue(of, nil)
	replaces := false
	timed("plan of a creation", func() { p.Must(p.Plan(c.kind, state, first).Diagnostics) })
	timed("creation", func() { state, _ = p.Apply(c.kind, state, first) })
	timed("refresh", func() { state, _ = p.NextRun().Read(c.kind, state, nil) })
	timed("plan without a change", func() {
		if planned := p.Value(of, p.Plan(c.kind, state, first).PlannedState); !planned.Equal(state) {
			t.Error("a plan without a change has one")
		}
	})
	timed("plan of a change", func() {
		plan := p.Plan(c.kind, state, changed)
		p.Must(plan.Diagnostics)
		replaces = len(plan.RequiresReplace) > 0
	})
	if !replaces {
		timed("update", func() { state, _ = p.Apply(c.kind, state, changed) })
	}
	return took
}

// noise is the time that a collection of garbage can take.
const noise = 20 * time.Millisecond

// TestCollections_linearTime checks that no operation of the provider takes quadratic
// time for the elements of a collection. Four times as many elements may take up to eight
// times as long, because a machine is sometimes slow; sixteen times are quadratic.
func TestCollections_linearTime(t *testing.T) {
	t.Parallel()
	w, p := startForced(t)
	for _, c := range collections(t, p) {
		t.Run(c.kind+"."+c.attribute, func(t *testing.T) {
			var slow []string
			for range 2 {
				slow = nil
				few, many := c.measure(t, w, p, c.few), c.measure(t, w, p, 4*c.few)
				for _, what := range slices.Sorted(maps.Keys(few)) {
					line := fmt.Sprintf("%s: %.3f s for %d elements, %.3f s for %d", what, few[what].Seconds(), c.few, many[what].Seconds(), 4*c.few)
					t.Log(line)
					if many[what] > 8*few[what]+noise {
						slow = append(slow, line)
					}
				}
				if len(slow) == 0 {
					return
				}
			}
			t.Errorf("slower than linear: %q", slow)
		})
	}
}
