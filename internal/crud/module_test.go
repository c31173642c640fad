package crud_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// A part is something at an address that does not begin with its own existence:
// a module of a parent, or a member of one.
type part struct {
	kind   string
	keys   map[string]string
	id     string // to import
	parent string
	path   string
}

// parts makes one of each.
func parts(w *acctest.World) []part {
	tls, tcp, https, subscription := w.CreateTLSEdge(), w.CreateTCPEdge(), w.CreateHTTPSEdge(), w.CreateEventSubscription("ip_policy_created.v0")
	route := w.CreateHTTPSEdgeRoute(https)
	policy := func(kind, parent, id string) part {
		w.Put(parent+"/policy", `{"inbound": [{"expressions": ["true"], "actions": [{"type": "log", "config": {"metadata": {"a": {"b": 1}}}}]}]}`)
		return part{kind, map[string]string{"edge_id": id}, id, parent, parent + "/policy"}
	}
	module := func(suffix string) part {
		parent := "/edges/https/" + https + "/routes/" + route
		w.Put(parent+"/"+suffix, `{"enabled": false}`)
		return part{"tunnel_https_edge_route_" + suffix, map[string]string{"edge_id": https, "route_id": route}, https + "/" + route, parent, parent + "/" + suffix}
	}
	return []part{
		policy("tunnel_tls_edge_policy", "/edges/tls/"+tls, tls),
		policy("tunnel_tcp_edge_policy", "/edges/tcp/"+tcp, tcp),
		module("compression"),
		module("websocket_tcp_converter"),
		{
			"tunnel_event_source", map[string]string{"subscription_id": subscription, "type": "ip_policy_created.v0"},
			subscription + "/ip_policy_created.v0", "/event_subscriptions/" + subscription, "/event_subscriptions/" + subscription + "/sources/ip_policy_created.v0",
		},
	}
}

func TestPartsAreImportedByIDAndByIdentity(t *testing.T) {
	acctest.Everywhere(t, func(t *testing.T, w *acctest.World) {
		p := w.Protocol(t)
		for _, part := range parts(w) {
			byID, identity := p.Import(part.kind, part.id, nil)
			byIdentity, again := p.Import(part.kind, "", p.Identity(part.kind, part.keys))
			if byID.IsNull() || !byID.Equal(byIdentity) {
				t.Errorf("%s: by id %s, by identity %s", part.kind, byID, byIdentity)
			}
			if !maps.Equal(identity, part.keys) || !maps.Equal(again, part.keys) {
				t.Errorf("%s: identities %v and %v, want %v", part.kind, identity, again, part.keys)
			}
		}
	})
}

func TestAnImportedPartPlansNoChange(t *testing.T) {
	acctest.Everywhere(t, func(t *testing.T, w *acctest.World) {
		p := w.Protocol(t)
		for _, part := range parts(w) {
			state, _ := p.Import(part.kind, part.id, nil)
			plan := p.PlanKept(part.kind, state)
			p.Must(plan.Diagnostics)
			if planned := p.Value(p.Type(part.kind), plan.PlannedState); !planned.Equal(state) || len(plan.RequiresReplace) > 0 {
				t.Errorf("%s: imported %s\nplanned %s, replaced for %v", part.kind, state, planned, plan.RequiresReplace)
			}
		}
	})
}

func TestAPartOrItsParentThatIsGoneIsGone(t *testing.T) {
	acctest.Everywhere(t, func(t *testing.T, w *acctest.World) {
		for _, remove := range []func(part){
			func(part part) { w.Delete(part.path) },
			func(part part) { w.ForceDelete(part.parent) },
		} {
			p := w.Protocol(t)
			all := parts(w)
			states := make([]tftypes.Value, len(all))
			for i, part := range all {
				states[i], _ = p.Import(part.kind, part.id, nil)
			}
			for i, part := range all {
				state := states[i]
				if w.Exists(part.parent) {
					remove(part)
				}
				// A process of its own, as the next command has it.
				if now, _ := w.Protocol(t).Read(part.kind, state, nil); !now.IsNull() {
					t.Errorf("%s: still in state: %s", part.kind, now)
				}
				null, err := tfprotov6.NewDynamicValue(state.Type(), tftypes.NewValue(state.Type(), nil))
				if err != nil {
					t.Fatal(err)
				}
				prior, err := tfprotov6.NewDynamicValue(state.Type(), state)
				if err != nil {
					t.Fatal(err)
				}
				deleted, err := p.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
					TypeName: part.kind, PriorState: &prior, PlannedState: &null, Config: &null,
				})
				if err != nil {
					t.Fatal(err)
				}
				p.Must(deleted.Diagnostics)
			}
		}
	})
}

func TestAMalformedImportIDShowsFormAndExample(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	for kind, want := range map[string]string{
		"tunnel_tls_edge_policy":                          "edge_id, such as edgtls_2abc",
		"tunnel_tcp_edge_policy":                          "edge_id, such as edgtcp_2abc",
		"tunnel_https_edge_route_compression":             "edge_id/route_id, such as edghts_2abc/edghtsrt_2abc",
		"tunnel_https_edge_route_websocket_tcp_converter": "edge_id/route_id, such as edghts_2abc/edghtsrt_2abc",
		"tunnel_event_source":                             "subscription_id/type, such as esb_2abc/ip_policy_created.v0",
		"tunnel_tls_certificate":                          "id, such as cert_2abc",
	} {
		for _, id := range []string{"a/b/c", "a /b", "/", " "} {
			resp, err := p.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: kind, ID: id})
			if err != nil {
				t.Fatal(err)
			}
			if len(resp.Diagnostics) != 1 || !strings.Contains(resp.Diagnostics[0].Detail, want) {
				t.Errorf("%s %q: %v, want an error with %q", kind, id, resp.Diagnostics, want)
			}
		}
	}
	if total := w.Sent(); total != 0 {
		t.Errorf("%d requests were sent", total)
	}
}
