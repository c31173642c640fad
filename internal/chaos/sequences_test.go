package chaos

import (
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

var soak = flag.Bool("soak", false, "take faults into sequences that cost long waits")

// shapes contains at least one kind of each shape: with and without a natural
// key, with a parent, with settings that only the provider knows, and modules.
var shapes = []string{
	"tunnel_group_backend", "tunnel_ssh_credential", "tunnel_ssh_host_certificate", "tunnel_failover_backend",
	"tunnel_https_edge_route", "tunnel_event_source", "tunnel_tls_edge_policy", "tunnel_https_edge_route_compression",
}

// TestSequences_keepInvariants runs random sequences of changes to a
// configuration, a state and a service. A failure prints its seed and the file
// to replay it with -rapid.failfile. See make soak.
func TestSequences_keepInvariants(t *testing.T) {
	t.Parallel()
	for name, varied := range map[string]bool{"default": false, "other behavior": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			rapid.Check(t, func(rt *rapid.T) {
				w.Reset()
				newSequence(t, w, newSimulator(t, w, nil)).run(rt, varied)
			})
		})
	}
}

// TestAccSequences_keepInvariants runs the same sequences with real Terraform.
// They take minutes instead of seconds, so there are only a few, and failures
// are not shrunk.
func TestAccSequences_keepInvariants(t *testing.T) {
	t.Parallel()
	eachSeed(t, 2, 2, func(t *testing.T, seed uint64) {
		choices := make([]byte, 1<<20)
		if _, err := rand.NewChaCha8([32]byte(binary.BigEndian.AppendUint64(make([]byte, 24), seed))).Read(choices); err != nil {
			t.Fatal(err)
		}
		w := acctest.Start(t)
		s := newSequence(t, w, newRealTerraform(t, w, "-parallelism=1"))
		defer func() { t.Logf("the sequence: %v", s.taken) }()
		rapid.MakeFuzz(func(rt *rapid.T) { s.run(rt, seed%2 == 1) })(t, choices)
	})
}

// run runs a sequence and destroys all resources at the end.
func (s *sequence) run(rt *rapid.T, varied bool) {
	if varied {
		s.behavior = []testserver.Rule{{Behavior: fmt.Sprint("seed=", rapid.Uint64Range(1, 8).Draw(rt, "behavior"))}}
	}
	s.w.SetRules(s.behavior...)
	actions := map[string]func(*rapid.T){
		"add": s.add, "remove": s.remove, "change": s.change, "replace": s.replace, "create before destroy": s.createBeforeDestroy,
		"edit by hand": s.editByHand, "delete by hand": s.deleteByHand, "apply": s.apply, "apply with a fault": s.applyWithFault,
		"apply a saved plan": s.applySavedPlan, "import": s.forgetAndImport,
	}
	for name, action := range actions {
		actions[name] = func(rt *rapid.T) {
			action(rt)
			s.taken = append(s.taken, name)
		}
	}
	actions[""] = s.check
	rt.Repeat(actions)
	s.apply(rt)
	s.config = map[string]resourceConfig{}
	s.apply(rt)
	if left := len(s.w.Paths()); left != s.others {
		rt.Errorf("after the destroy there are %d objects, want %d", left, s.others)
	}
}

// sequence is a configuration, its state, and a service that also has foreign
// objects.
type sequence struct {
	w        *acctest.Env
	behavior []testserver.Rule // of the service, besides faults
	engine   engine
	slots    map[string]resourceConfig // possible resources of the configuration by address
	config   map[string]resourceConfig
	foreign  map[string]string // objects of other users as JSON, by path
	others   int               // number of objects that do not belong to the configuration
	fresh    int
	taken    []string // names of the actions so far
	t        *testing.T
}

func newSequence(t *testing.T, w *acctest.Env, e engine) *sequence {
	t.Helper()
	s := &sequence{w: w, t: t, engine: e, slots: map[string]resourceConfig{}, config: map[string]resourceConfig{}, foreign: map[string]string{}}
	for _, name := range shapes {
		kind := acctest.KindOf(t, name)
		_, arguments := kind.Configuration(t, w)
		s.slots[name] = resourceConfig{Type: name, Arguments: arguments}
		path := kind.At(kind.Create(t, w))
		if _, ok := arguments["description"]; ok { // makes it different from the object of the resource
			w.Edit(path, `{"description": "somebody else's"}`)
		}
		s.foreign[path] = s.held(path)
	}
	s.others = len(w.Paths())
	return s
}

func (s *sequence) held(path string) string {
	text, err := json.Marshal(s.w.Get(path))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// check checks the invariants that hold after every action.
func (s *sequence) check(rt *rapid.T) {
	for path, before := range s.foreign {
		if now := s.held(path); now != before {
			rt.Errorf("%s is somebody else's and became %s, was %s", path, now, before)
		}
	}
	for _, defect := range s.engine.TakeFindings() {
		rt.Errorf("%s", defect)
	}
}

func (s *sequence) add(rt *rapid.T) {
	address := s.pick(rt, slices.Sorted(maps.Keys(s.slots)))
	s.config[address] = s.slots[address]
}

func (s *sequence) remove(rt *rapid.T) { delete(s.config, s.configured(rt)) }

func (s *sequence) change(rt *rapid.T) {
	s.edit(s.configured(rt), func(arguments map[string]tftypes.Value) {
		if _, ok := arguments["description"]; ok {
			arguments["description"] = rapid.SampledFrom([]tftypes.Value{acctest.Text("a"), acctest.Text("b"), acctest.Text(""), tftypes.NewValue(tftypes.String, nil)}).Draw(rt, "description")
		} else if _, ok := arguments["enabled"]; ok {
			arguments["enabled"] = tftypes.NewValue(tftypes.Bool, rapid.Bool().Draw(rt, "enabled"))
		}
	})
}

// replace changes arguments that require a replacement.
func (s *sequence) replace(rt *rapid.T) {
	s.edit(s.configured(rt), func(arguments map[string]tftypes.Value) {
		if _, ok := arguments["public_key"]; ok {
			s.fresh++
			arguments["public_key"] = acctest.Text(testcert.PublicKey(s.t, fmt.Sprint(s.fresh)))
		}
		if _, ok := arguments["subscription_id"]; ok {
			arguments["type"] = acctest.Text(rapid.SampledFrom([]string{"ip_policy_created.v0", "ip_policy_updated.v0"}).Draw(rt, "type"))
		}
	})
}

func (s *sequence) createBeforeDestroy(rt *rapid.T) {
	address := s.configured(rt)
	resource := s.config[address]
	resource.CreateBeforeDestroy = !resource.CreateBeforeDestroy
	s.config[address] = resource
}

func (s *sequence) edit(address string, change func(map[string]tftypes.Value)) {
	resource := s.config[address]
	resource.Arguments = maps.Clone(resource.Arguments)
	change(resource.Arguments)
	s.config[address] = resource
}

func (s *sequence) editByHand(rt *rapid.T) {
	kind, path := s.held1(rt)
	switch {
	case kind.Module():
		s.w.Put(path, `{"enabled": false}`)
	case kind.Type != "tunnel_event_source" && s.w.Exists(path):
		s.w.Edit(path, `{"description": "by hand"}`)
	}
}

func (s *sequence) deleteByHand(rt *rapid.T) {
	if _, path := s.held1(rt); s.w.Exists(path) {
		s.w.ForceDelete(path)
	}
}

// apply applies the configuration without faults. The apply must succeed.
func (s *sequence) apply(rt *rapid.T) {
	for address, text := range s.engine.Apply(s.config) {
		rt.Errorf("%s: %s", address, text)
	}
	s.settled(rt)
}

// settled checks that the next plan is empty and that there is one object for
// each resource.
func (s *sequence) settled(rt *rapid.T) {
	plan := s.engine.Plan(s.config)
	if len(plan.Changes)+len(plan.Errors) > 0 {
		rt.Errorf("the next plan is not empty: %v %v", plan.Changes, plan.Errors)
	}
	if len(s.engine.ObjectState()) != len(s.config) {
		rt.Errorf("%d objects in the state, %d in the configuration", len(s.engine.ObjectState()), len(s.config))
	}
	if all := len(s.w.Paths()); all != s.others+len(s.config) {
		rt.Errorf("%d objects at the service, want %d", all, s.others+len(s.config))
	}
}

// quickFaults are the faults with a certain outcome and without long waits.
// TestRequestFaults_everyRequest and make soak cover the others.
var quickFaults = []string{"429", "reset before", "503"}

func (s *sequence) applyWithFault(rt *rapid.T) {
	names := quickFaults
	if *soak {
		names = slices.DeleteFunc(slices.Sorted(maps.Keys(requestFaults)), func(name string) bool { return requestFaults[name].Count > 1 })
	}
	fault := requestFaults[rapid.SampledFrom(names).Draw(rt, "fault")]
	if strings.HasPrefix(fault.Behavior, "delay") {
		fault.Behavior = "delay=1s" // shorter than the timeout
	}
	fault.Nth, fault.Count = rapid.IntRange(1, 6).Draw(rt, "request"), max(1, fault.Count)
	s.w.SetRules(append(slices.Clone(s.behavior), fault)...)
	errors := s.engine.Apply(s.config)
	s.w.SetRules(s.behavior...)
	unknown := false
	for address, text := range errors {
		if !strings.Contains(text, "Could not determine whether") {
			continue
		}
		unknown = true
		if found := importCommand.FindStringSubmatch(text); found != nil && strings.Contains(text, "The account contains") {
			s.adopt(address, found[1], found[2])
		}
	}
	if orphans := len(s.w.Paths()) - s.others - len(s.engine.ObjectState()); unknown && orphans > 0 {
		s.others += orphans // the error reported them
	}
	for address, text := range s.engine.Apply(s.config) {
		found := importCommand.FindStringSubmatch(text)
		if found == nil || !strings.Contains(text, "already exists") {
			rt.Errorf("without the fault, %s: %s", address, text)
			continue
		}
		s.adopt(address, found[1], found[2])
	}
	s.apply(rt)
}

// applySavedPlan creates a plan, changes an object out of band, and applies the
// plan. If the change sets a module that the plan creates, because it was deleted
// by hand, the creation must refuse to overwrite it.
func (s *sequence) applySavedPlan(rt *rapid.T) {
	plan := s.engine.Plan(s.config)
	for address, text := range plan.Errors {
		rt.Errorf("%s: %s", address, text)
	}
	state, missing := s.engine.ObjectState(), map[string]string{} // paths by address
	for address, held := range state {
		if path := acctest.KindOf(s.t, held.Type).At(held.Keys); !s.w.Exists(path) {
			missing[address] = path
		}
	}
	if len(state) > 0 {
		s.editByHand(rt)
	}
	byHand := map[string]map[string]any{}
	for _, path := range missing {
		if s.w.Exists(path) {
			byHand[path] = s.w.Get(path)
		}
	}
	refused := plan.Apply()
	for path, object := range byHand {
		if s.w.Exists(path) && !reflect.DeepEqual(s.w.Get(path), object) {
			rt.Errorf("a saved plan overwrote %s, which was set by hand", path)
		}
	}
	for address, text := range refused {
		found := importCommand.FindStringSubmatch(text)
		if byHand[missing[address]] == nil || found == nil || !strings.Contains(text, "already exists") {
			rt.Errorf("saved plan, %s: %s", address, text)
			continue
		}
		s.adopt(address, found[1], found[2])
	}
}

// adopt does what an error about an existing object suggests: it imports the
// object. If the state still contains the object that create_before_destroy
// replaces, Terraform refuses that, and adopt deletes the new object.
func (s *sequence) adopt(address, resource, id string) {
	if _, held := s.engine.ObjectState()[address]; !held {
		s.engine.Import(address, resource, id)
		return
	}
	for _, path := range s.w.Paths() {
		if kind, keys := acctest.KindAt(path); kind.Type == resource && kind.ImportID(keys) == id {
			s.w.ForceDelete(path)
		}
	}
}

func (s *sequence) forgetAndImport(rt *rapid.T) {
	address := s.inState(rt)
	held := s.engine.ObjectState()[address]
	kind := acctest.KindOf(s.t, held.Type)
	s.engine.Forget(address)
	if s.w.Exists(kind.At(held.Keys)) {
		s.engine.Import(address, held.Type, kind.ImportID(held.Keys))
	}
}

// held1 picks an object in the state and returns its kind and path.
func (s *sequence) held1(rt *rapid.T) (acctest.Kind, string) {
	held := s.engine.ObjectState()[s.inState(rt)]
	kind := acctest.KindOf(s.t, held.Type)
	return kind, kind.At(held.Keys)
}

func (s *sequence) configured(rt *rapid.T) string {
	return s.pick(rt, slices.Sorted(maps.Keys(s.config)))
}
func (s *sequence) inState(rt *rapid.T) string {
	return s.pick(rt, slices.Sorted(maps.Keys(s.engine.ObjectState())))
}

// pick picks one of the addresses. If there are none, it skips the action.
func (s *sequence) pick(rt *rapid.T, addresses []string) string {
	if len(addresses) == 0 {
		rt.Skip("nothing to pick")
	}
	return rapid.SampledFrom(addresses).Draw(rt, "address")
}
