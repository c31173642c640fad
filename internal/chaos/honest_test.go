package chaos

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestHonestService_isNeverRefused uses random services that keep the contract.
// No creation, change, refresh after a deletion by hand, or deletion fails.
func TestHonestService_isNeverRefused(t *testing.T) {
	t.Parallel()
	eachSeed(t, 8, 500, func(t *testing.T, seed uint64) {
		h := startHonest(t, seed)
		t.Logf("%+v", h.traits)
		h.use(t)
	})
}

// An owned object is an object in a state.
type owned struct {
	kind  string
	state tftypes.Value
}

// id returns the id of an object, or "" if it has none.
func (o owned) id(p *acctest.Protocol) string { return p.Strings(o.state)["id"] }

// use creates one object of each kind, with fresh parents, and works with them.
func (h *honest) use(t *testing.T) {
	t.Helper()
	before := len(h.w.Paths())
	p := h.provider(t)
	var all []owned
	expect := func(what string, found []*tfprotov6.Diagnostic) {
		t.Helper()
		for _, d := range found {
			t.Errorf("%s: %s: %s", what, d.Summary, d.Detail)
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	create := func(kind string, given map[string]any) string {
		t.Helper()
		state, found := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), acctest.FromJSON(p.Type(kind), given))
		expect("create "+kind, found)
		all = append(all, owned{kind, state})
		return all[len(all)-1].id(p)
	}
	group := create("tunnel_group_backend", map[string]any{"labels": map[string]any{"app": "web"}})
	response := create("tunnel_http_response_backend", map[string]any{"status_code": 404})
	failover := create("tunnel_failover_backend", map[string]any{"backends": []any{group, response}})
	edge := create("tunnel_tls_edge", map[string]any{"hostports": []any{"www.example.com:443"}})
	create("tunnel_tls_edge_policy", map[string]any{"edge_id": edge, "inbound": []any{map[string]any{"expressions": []any{"true"}, "actions": []any{map[string]any{"type": "deny"}}}}})
	create("tunnel_tls_edge_backend", map[string]any{"edge_id": edge, "backend_id": failover})
	https := create("tunnel_https_edge", map[string]any{"hostports": []any{"api.example.com:443"}})
	route := create("tunnel_https_edge_route", map[string]any{"edge_id": https, "match_type": "path_prefix", "match": "/"})
	create("tunnel_https_edge_route_compression", map[string]any{"edge_id": https, "route_id": route, "enabled": true})
	create("tunnel_https_edge_route_backend", map[string]any{"edge_id": https, "route_id": route, "backend_id": response})
	subscription := create("tunnel_event_subscription", map[string]any{})
	create("tunnel_event_source", map[string]any{"subscription_id": subscription, "type": "domain_created.v0"})
	authority := create("tunnel_ssh_certificate_authority", map[string]any{})
	create("tunnel_ssh_host_certificate", map[string]any{"ssh_certificate_authority_id": authority, "public_key": testcert.PublicKey(t, ""), "principals": []any{"host.example.com"}})
	chain, key := testcert.Certificate(t, "www.example.org")
	create("tunnel_tls_certificate", map[string]any{"certificate_pem": chain, "private_key_pem": key})
	create("tunnel_ssh_credential", map[string]any{"public_key": testcert.PublicKey(t, "")})
	create("tunnel_reserved_domain", map[string]any{"domain": "www.example.org"})
	create("tunnel_reserved_address", map[string]any{})

	h.age(10 * time.Minute)
	p = h.provider(t)
	for i, o := range all {
		all[i].state = h.read(t, p, o, expect)
		if all[i].state.IsNull() {
			t.Fatalf("%s is forgotten", o.kind)
		}
		if plan := p.Plan(o.kind, all[i].state, p.Kept(o.kind, all[i].state)); len(plan.RequiresReplace) > 0 || !p.Value(p.Type(o.kind), plan.PlannedState).Equal(all[i].state) {
			t.Errorf("the plan of %s has changes", o.kind)
		}
	}
	for i, o := range all {
		if _, has := p.Attributes(o.state)["description"]; !has {
			continue
		}
		changed := maps.Clone(p.Attributes(p.Kept(o.kind, o.state)))
		changed["description"] = acctest.Text("changed")
		state, found := p.Apply(o.kind, o.state, acctest.Object(p.Type(o.kind), changed))
		expect("update "+o.kind, found)
		all[i].state = state
	}

	// Some objects are deleted by hand. While a list still shows them, a refresh is an
	// error that says to try again.
	h.age(10 * time.Minute)
	for _, o := range all {
		if path := acctest.KindOf(t, o.kind).At(p.Strings(o.state)); strings.Contains(o.kind, "credential") || strings.Contains(o.kind, "address") || strings.Contains(o.kind, "compression") {
			h.w.Server.Delete(path)
		}
	}
	h.age(10 * time.Minute)
	p = h.provider(t)
	left := all[:0:0]
	for _, o := range all {
		if state := h.read(t, p, o, expect); !state.IsNull() {
			left = append(left, owned{o.kind, state})
		}
	}
	p = h.provider(t)
	for _, o := range slices.Backward(left) {
		_, found := p.Apply(o.kind, o.state, tftypes.NewValue(p.Type(o.kind), nil))
		expect("delete "+o.kind, found)
	}
	if rest := len(h.w.Paths()) - before; rest != 0 {
		t.Errorf("%d objects are left", rest)
	}
}

// provider returns a new process of the provider.
func (h *honest) provider(t *testing.T) *acctest.Protocol {
	t.Helper()
	p := acctest.NewProtocol(t)
	p.Configure(map[string]tftypes.Value{"base_url": acctest.Text(h.front.URL), "api_key": acctest.Text(h.w.AdminKey)})
	return p
}

func (h *honest) read(t *testing.T, p *acctest.Protocol, o owned, expect func(string, []*tfprotov6.Diagnostic)) tftypes.Value {
	t.Helper()
	resp, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: o.kind, CurrentState: p.Dynamic(o.state)})
	if err != nil {
		t.Fatal(err)
	}
	expect("read "+o.kind, resp.Diagnostics)
	return p.Value(p.Type(o.kind), resp.NewState)
}
