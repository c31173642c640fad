package provider_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestQuickReadsAreTheFrameworksReads gives states of a whole account to the
// framework's server and to ours: as they are, out of date, spelled otherwise,
// and of objects that are gone. Ours asks the service no more often.
func TestQuickReadsAreTheFrameworksReads(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	account(t, w)
	states := everyState(t, w)
	for _, name := range []string{"ssh_credentials", "tls_certificates"} {
		for i, object := range w.List("/" + name) {
			if i%8 == 0 {
				w.Delete(fmt.Sprintf("/%s/%s", name, object["id"]))
			}
		}
	}
	p, theirs := w.Protocol(t), w.Framework(t)

	random := rand.New(rand.NewPCG(1, 2))
	var requests []*tfprotov6.ReadResourceRequest
	for name, all := range states {
		for i := range 4 * len(all) {
			state := all[i%len(all)]
			changed := state
			if random.IntN(2) == 0 {
				changed = outOfDate(random, p, state, all[random.IntN(len(all))])
			}
			requests = append(requests, &tfprotov6.ReadResourceRequest{
				TypeName: name, CurrentState: p.Dynamic(changed), CurrentIdentity: anIdentity(random, p, name, state), Private: aPrivate(random),
			})
		}
	}
	expected, most := readAll(t, w, theirs, requests)
	found, sent := readAll(t, w, p, requests)
	if sent > most {
		t.Errorf("%d requests were sent, the framework's reads take %d", sent, most)
	}
	quick, failed, gone, other := 0, 0, 0, 0
	for i, req := range requests {
		if diff := cmp.Diff(readAnswer(p, req.TypeName, expected[i]), readAnswer(p, req.TypeName, found[i])); diff != "" {
			t.Errorf("%s, private %q, state %s (-framework +ours):\n%s", req.TypeName, req.Private, p.Value(p.Type(req.TypeName), req.CurrentState), diff)
		}
		switch {
		case found[i].NewState == req.CurrentState:
			quick++
		case found[i].NewState == nil:
			failed++
		case p.Value(p.Type(req.TypeName), found[i].NewState).IsNull():
			gone++
		default:
			other++
		}
	}
	if quick < 100 || failed < 50 || gone < 20 || other < 100 {
		t.Errorf("%d reads were quick, %d failed, %d found nothing, %d were others: the test shows little", quick, failed, gone, other)
	}
}

// readAll returns the answers to reads, and how many requests they took.
func readAll(t *testing.T, w *acctest.World, server tfprotov6.ProviderServer, requests []*tfprotov6.ReadResourceRequest) (answers []*tfprotov6.ReadResourceResponse, sent int) {
	t.Helper()
	w.ResetStats()
	for _, req := range requests {
		resp, err := server.ReadResource(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, resp)
	}
	time.Sleep(100 * time.Millisecond) // the last request is counted after its answer
	return answers, w.Stats().Total
}

// TestReadsWithoutNewsAreQuick reads all of an account from states as Terraform
// encodes them.
func TestReadsWithoutNewsAreQuick(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	account(t, w)
	p := w.Protocol(t)
	for name, all := range everyState(t, w) {
		for _, state := range all {
			req := &tfprotov6.ReadResourceRequest{TypeName: name, CurrentState: asTerraformEncodes(t, p.Dynamic(state), state.Type())}
			resp, err := p.ReadResource(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			p.Must(resp.Diagnostics)
			if resp.NewState != req.CurrentState {
				t.Errorf("%s: the read was the framework's, though nothing is new in %s", name, state)
				break
			}
		}
	}
}

// asTerraformEncodes encodes a value as Terraform does, which has its own order
// of sets.
func asTerraformEncodes(t *testing.T, value *tfprotov6.DynamicValue, of tftypes.Type) *tfprotov6.DynamicValue {
	t.Helper()
	as := ctyType(t, of)
	decoded, err := msgpack.Unmarshal(value.MsgPack, as)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := msgpack.Marshal(decoded, as)
	if err != nil {
		t.Fatal(err)
	}
	return &tfprotov6.DynamicValue{MsgPack: encoded}
}

// ctyType is a type as Terraform knows it.
func ctyType(t *testing.T, of tftypes.Type) cty.Type {
	t.Helper()
	text, err := of.MarshalJSON() //nolint:staticcheck // there is no other way from one to the other
	if err != nil {
		t.Fatal(err)
	}
	as, err := ctyjson.UnmarshalType(text)
	if err != nil {
		t.Fatal(err)
	}
	return as
}

// TestQuickReadGoesByTheClock lets the time come at which a certificate is to be
// renewed: the service says what it said before.
func TestQuickReadGoesByTheClock(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	clock := acctest.NewClock()
	p := w.Protocol(t, provider.WithClock(clock.Now))
	id := w.Create("/ssh_host_certificates", quoted(map[string]any{
		"ssh_certificate_authority_id": w.Parents.SSHCertificateAuthority, "public_key": acctest.PublicKey(t, ""),
	}))
	const name = "tunnel_ssh_host_certificate"
	imported, _ := p.Import(name, id, nil)
	attributes := p.Attributes(imported)
	attributes["early_renewal_hours"] = tftypes.NewValue(tftypes.Number, 24)
	state := tftypes.NewValue(imported.Type(), attributes)
	for _, ready := range []bool{false, true} {
		read, _ := p.Read(name, state, nil)
		if !p.Attributes(read)["ready_for_renewal"].Equal(tftypes.NewValue(tftypes.Bool, ready)) {
			t.Errorf("ready_for_renewal is %s, expected %t", p.Attributes(read)["ready_for_renewal"], ready)
		}
		clock.Pass(365*24*time.Hour - time.Hour)
	}
}

// TestQuickReadEnds looks at reads that the service does not answer in time.
func TestQuickReadEnds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		timeout string
		cancel  time.Duration
		want    string
	}{
		"by its timeout": {"200ms", time.Minute, "not done within 200ms (timeouts.read)"},
		"by a cancel":    {"1m", 200 * time.Millisecond, "context canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			p := w.Protocol(t)
			state, _ := p.Import(benchmarked, w.SeedSSHCredentials(1)[0], nil)
			p = w.Protocol(t) // which has read nothing yet
			attributes := p.Attributes(state)
			attributes["timeouts"] = acctest.Object(attributes["timeouts"].Type(), map[string]tftypes.Value{"read": text(test.timeout)})
			w.SetFaults(testserver.Fault{Kind: testserver.FaultDelay, Delay: 5 * time.Second})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			time.AfterFunc(test.cancel, cancel)
			begun := time.Now()
			resp, err := p.ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: benchmarked, CurrentState: p.Dynamic(tftypes.NewValue(state.Type(), attributes))})
			if err != nil {
				t.Fatal(err)
			}
			if len(resp.Diagnostics) != 1 || !strings.Contains(resp.Diagnostics[0].Detail, test.want) {
				t.Errorf("got %v, expected an error that says %q", resp.Diagnostics, test.want)
			}
			if took := time.Since(begun); took > 4*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// TestQuickReadWaitsForWhatWasJustCreated reads an object by a state that says
// that it was created just now, from a service that does not show it yet.
func TestQuickReadWaitsForWhatWasJustCreated(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	w.SetFaults(testserver.Fault{Kind: testserver.FaultNotFoundAfterCreate, Delay: time.Second})
	before := w.SeedSSHCredentials(1)[0]
	state, _ := w.Protocol(t).Import(benchmarked, before, nil)
	id := w.Create("/ssh_credentials", quoted(map[string]any{"public_key": acctest.PublicKey(t, "")}))
	attributes := p.Attributes(state)
	attributes["id"] = text(id)
	created, err := json.Marshal(map[string][]byte{"created": []byte(time.Now().Format(`"` + time.RFC3339Nano + `"`))})
	if err != nil {
		t.Fatal(err)
	}
	for _, private := range [][]byte{nil, created} {
		w.SetFaults(testserver.Fault{Method: "GET", Route: "/ssh_credentials", Kind: testserver.Fault500}, testserver.Fault{Kind: testserver.FaultNotFoundAfterCreate, Delay: time.Second})
		resp, err := w.Protocol(t).ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
			TypeName: benchmarked, CurrentState: p.Dynamic(tftypes.NewValue(state.Type(), attributes)), Private: private,
		})
		if err != nil {
			t.Fatal(err)
		}
		p.Must(resp.Diagnostics)
		if found := !p.Value(p.Type(benchmarked), resp.NewState).IsNull(); found != (private != nil) {
			t.Errorf("private %q: found %t", private, found)
		}
	}
}

// TestReadsLetGoOfWhatTheyRead reads large objects that are not as their states
// say, for which the framework keeps a context each.
func TestReadsLetGoOfWhatTheyRead(t *testing.T) { //nolint:paralleltest // it looks at all of the memory
	w := acctest.Start(t)
	p := w.Protocol(t)
	id := w.Create("/ssh_credentials", quoted(map[string]any{"public_key": acctest.PublicKey(t, ""), "metadata": strings.Repeat("x", 4096)}))
	state, _ := p.Import(benchmarked, id, nil)
	attributes := p.Attributes(state)
	attributes["description"] = text("another")
	req := &tfprotov6.ReadResourceRequest{TypeName: benchmarked, CurrentState: p.Dynamic(tftypes.NewValue(state.Type(), attributes))}
	p.Configure(map[string]tftypes.Value{"base_url": text(w.URL), "api_key": text(w.AdminKey), "bulk_reads": tftypes.NewValue(tftypes.Bool, false)})
	const reads = 500
	var begun, ended runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&begun)
	for range reads {
		resp, err := p.ReadResource(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		p.Must(resp.Diagnostics)
	}
	w.ResetStats() // the test server's log is not the provider's memory
	runtime.GC()
	runtime.ReadMemStats(&ended)
	runtime.KeepAlive(p)
	if kept := (int64(ended.HeapAlloc) - int64(begun.HeapAlloc)) / reads; kept > 3000 {
		t.Errorf("each read keeps %d bytes", kept)
	}
}

// everyState returns the state of all objects of an account and its modules, by
// their types.
func everyState(t *testing.T, w *acctest.World) map[string][]tftypes.Value {
	t.Helper()
	p := w.Protocol(t)
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
		if name == "private_key_pem_wo" && random.IntN(4) == 0 { // in no state that Terraform writes
			value = text("a key")
		}
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
		nil,
		encoded(map[string]string{"created": created}),
		encoded(map[string]string{"created": created}),
		encoded(map[string]string{"created": created}),
		encoded(map[string]string{"created": created, "another": "{}"}),
		encoded(map[string]string{"created": created, ".import_before_read": "true"}),
		encoded(map[string]string{"created": ""}),
		encoded(map[string]string{"created": "not JSON"}),
		encoded(map[string]string{"created": "\"\xff\""}),
		append(encoded(map[string]string{"created": created}), '\n'),
		encoded(map[string]string{".import_before_read": "true"}),
		encoded(nil),
		[]byte(`{"schema_version": 1}`),
	}[random.IntN(14)]
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
