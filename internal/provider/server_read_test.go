package provider_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// TestQuickReadsAreTheFrameworksReads gives states of a whole account to the
// framework's server and to ours: as they are, out of date, spelled otherwise,
// and of objects that are gone.
func TestQuickReadsAreTheFrameworksReads(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	account(t, w)
	states := everyState(w, w.Protocol(t))
	for _, name := range []string{"ssh_credentials", "tls_certificates"} {
		for i, object := range w.List("/" + name) {
			if i%8 == 0 {
				w.Delete(fmt.Sprintf("/%s/%s", name, object["id"]))
			}
		}
	}
	p := w.Protocol(t)
	framework := providerserver.NewProtocol6(provider.New("test")())()
	configured, err := framework.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: p.Dynamic(acctest.Object(p.Schema.Provider.ValueType(), map[string]tftypes.Value{"base_url": text(w.URL), "api_key": text(w.AdminKey)})),
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Must(configured.Diagnostics)

	random := rand.New(rand.NewPCG(1, 2))
	quick, gone, other := 0, 0, 0
	for name, all := range states {
		for i := range 4 * len(all) {
			state := all[i%len(all)]
			changed := state
			if random.IntN(2) == 0 {
				changed = outOfDate(random, p, state, all[random.IntN(len(all))])
			}
			req := &tfprotov6.ReadResourceRequest{
				TypeName: name, CurrentState: p.Dynamic(changed), CurrentIdentity: anIdentity(random, p, name, state), Private: aPrivate(random),
			}
			ours, err := p.ReadResource(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := framework.ReadResource(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(readAnswer(p, name, theirs), readAnswer(p, name, ours)); diff != "" {
				t.Errorf("%s %d, private %q, state %s (-framework +ours):\n%s", name, i, req.Private, changed, diff)
			}
			switch {
			case ours.NewState == req.CurrentState:
				quick++
			case p.Value(p.Type(name), ours.NewState).IsNull():
				gone++
			default:
				other++
			}
		}
	}
	if quick < 100 || gone < 20 || other < 100 {
		t.Errorf("%d reads were quick, %d found nothing, %d were others: the test shows little", quick, gone, other)
	}
}

// everyState returns the state of all objects of an account and its modules, by
// their types.
func everyState(w *acctest.World, p *acctest.Protocol) map[string][]tftypes.Value {
	states := map[string][]tftypes.Value{}
	for name, given := range lists(w) {
		for _, listed := range p.List(name, 0, given) {
			state, _ := p.Import(name, "", listed.Identity)
			states[name] = append(states[name], state)
		}
	}
	policy := `{"enabled": true, "inbound": [{"name": "a", "expressions": ["conn.client_ip == '192.0.2.1'"], "actions": [{"type": "deny"}]}], "outbound": []}`
	w.Put("/edges/tls/"+w.Parents.TLSEdge+"/policy", policy)
	w.Put("/edges/tcp/"+w.Parents.TCPEdge+"/policy", policy)
	for _, module := range []string{"compression", "websocket_tcp_converter"} {
		w.Put("/edges/https/"+w.Parents.HTTPSEdge+"/routes/"+w.Parents.HTTPSEdgeRoute+"/"+module, `{"enabled": true}`)
	}
	route := w.Parents.HTTPSEdge + "/" + w.Parents.HTTPSEdgeRoute
	for name, id := range map[string]string{
		"tunnel_tls_edge_policy": w.Parents.TLSEdge, "tunnel_tcp_edge_policy": w.Parents.TCPEdge,
		"tunnel_https_edge_route_compression": route, "tunnel_https_edge_route_websocket_tcp_converter": route,
	} {
		state, _ := p.Import(name, id, nil)
		for range 10 {
			states[name] = append(states[name], state)
		}
	}
	return states
}

// outOfDate changes some attributes of a state: to nothing, to what another
// object says, to another spelling.
func outOfDate(random *rand.Rand, p *acctest.Protocol, state, other tftypes.Value) tftypes.Value {
	attributes, others := p.Attributes(state), p.Attributes(other)
	changed := map[string]tftypes.Value{}
	for name, value := range attributes {
		switch random.IntN(4 * len(attributes)) {
		case 0:
			value = tftypes.NewValue(value.Type(), nil)
		case 1:
			value = others[name]
		case 2, 3, 4, 5:
			value = respelled(value)
		}
		changed[name] = value
	}
	if random.IntN(5) == 0 {
		of := attributes["timeouts"].Type()
		changed["timeouts"] = acctest.Object(of, map[string]tftypes.Value{"read": text([]string{"1m", "never"}[random.IntN(2)])})
	}
	return tftypes.NewValue(state.Type(), changed)
}

func respelled(value tftypes.Value) tftypes.Value {
	var is string
	if !value.Type().Is(tftypes.String) || value.IsNull() || value.As(&is) != nil {
		return value
	}
	switch {
	case strings.HasPrefix(is, "ssh-"), strings.HasPrefix(is, "ecdsa-"):
		is += " another comment"
	case strings.HasPrefix(is, "-----BEGIN"):
		is = "\n" + is + "\n"
	case strings.HasPrefix(is, "20") && strings.HasSuffix(is, "Z"):
		is = strings.TrimSuffix(is, "Z") + "+00:00"
	case strings.HasPrefix(is, "{"):
		is = " " + is
	}
	return text(is)
}

func anIdentity(random *rand.Rand, p *acctest.Protocol, name string, state tftypes.Value) *tfprotov6.ResourceIdentityData {
	keys := map[string]string{}
	for key := range p.IdentityType(name).(tftypes.Object).AttributeTypes {
		keys[key] = p.Strings(state)[key]
	}
	switch random.IntN(4) {
	case 0:
		return nil
	case 1:
		return &tfprotov6.ResourceIdentityData{IdentityData: p.Dynamic(tftypes.NewValue(p.IdentityType(name), nil))}
	case 2:
		for key := range keys {
			keys[key] += "x"
		}
	}
	return p.Identity(name, keys)
}

// aPrivate makes the private part of a state: none, that of an object that was
// created some time ago, that of one just imported, and texts of other origin.
func aPrivate(random *rand.Rand) []byte {
	encoded := func(parts map[string]string) []byte {
		bytes := map[string][]byte{}
		for key, part := range parts {
			bytes[key] = []byte(part)
		}
		text, err := json.Marshal(bytes)
		if err != nil {
			panic(err)
		}
		return text
	}
	created := `"2026-01-31T08:15:30.5Z"`
	return [][]byte{
		nil,
		encoded(map[string]string{"created": created}),
		encoded(map[string]string{"created": created}),
		encoded(map[string]string{"created": created, "another": "{}"}),
		encoded(map[string]string{".import_before_read": "true"}),
		encoded(nil),
		[]byte(`{"schema_version": 1}`),
	}[random.IntN(7)]
}

// readAnswer is all that Terraform sees of a read, as text.
func readAnswer(p *acctest.Protocol, name string, resp *tfprotov6.ReadResourceResponse) []string {
	seen := []string{string(resp.Private), fmt.Sprint(resp.Deferred)}
	if resp.NewState != nil {
		seen = append(seen, p.Value(p.Type(name), resp.NewState).String())
	}
	if resp.NewIdentity != nil {
		seen = append(seen, fmt.Sprintf("%x", resp.NewIdentity.IdentityData.MsgPack))
	}
	for _, d := range resp.Diagnostics {
		seen = append(seen, fmt.Sprint(d.Severity, d.Summary, d.Detail, d.Attribute))
	}
	return seen
}
