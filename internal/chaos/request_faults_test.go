package chaos

import (
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// requestTimeout is the request timeout of the provider, long enough for a busy
// machine. Delayed responses arrive after it.
const requestTimeout = 10 * time.Second

// requestFaults are the faults of a single request.
var requestFaults = map[string]testserver.Rule{
	"reset before":             {Behavior: "reset_before"},
	"reset after":              {Behavior: "reset_after"},
	"503":                      {Behavior: "503"},
	"503 after processing":     {Behavior: "503_after"},
	"proxy's 502":              {Behavior: "html=502"},
	"truncated":                {Behavior: "truncate"},
	"later than the timeout":   {Behavior: "delay=" + (requestTimeout + time.Second).String()},
	"429":                      {Behavior: "429=none"},
	"429 with Retry-After":     {Behavior: "429=1"},
	"503 to all until the end": {Behavior: "503", Count: 1000},
}

// cell is one operation on one kind of object with one fault at one request.
type cell struct {
	kind      acctest.Kind
	operation string
	nth       int
	fault     string
}

func (c cell) String() string {
	return fmt.Sprintf("%s of %s, %s at request %d", c.operation, c.kind.Type, c.fault, c.nth)
}

// cells returns all cells of the given kinds.
func cells(t *testing.T, kinds []acctest.Kind) []cell {
	t.Helper()
	var all []cell
	for _, kind := range kinds {
		for _, operation := range []string{"create", "update", "delete"} {
			run := newFaultRun(t, cell{kind: kind, operation: operation})
			sim := newSimulator(t, run.w, nil)
			sim.Apply(run.before)
			run.w.ResetStats()
			sim.Apply(run.after)
			requests := run.w.Stats().Total
			if requests == 0 && (operation != "update" || kind.Type != "tunnel_event_source") {
				t.Errorf("%s of %s sends no request", operation, kind.Type)
			}
			for nth := range requests {
				for _, fault := range slices.Sorted(maps.Keys(requestFaults)) {
					all = append(all, cell{kind, operation, nth + 1, fault})
				}
			}
		}
	}
	return all
}

// faultArguments are the arguments of the provider in these tests.
var faultArguments = map[string]tftypes.Value{"request_timeout": acctest.Text(requestTimeout.String()), "max_retries": acctest.Number(1)}

// TestRequestFaults_everyRequest runs each operation with each fault at each of its
// requests, follows the instructions in the error, and applies again without faults.
// With -soak, it runs all cells, with TF_ACC those of one kind of each shape and a tenth
// of the others, and otherwise a tenth.
func TestRequestFaults_everyRequest(t *testing.T) {
	t.Parallel()
	cells := cells(t, acctest.Kinds)
	if !*soak {
		cells = slices.DeleteFunc(cells, func(c cell) bool {
			each := os.Getenv("TF_ACC") != "" && slices.Contains(shapes, c.kind.Type)
			return !each && crc32.ChecksumIEEE([]byte(c.String()))%10 > 0 // a new kind does not change the sample of others
		})
	}
	t.Logf("%d cells of %d kinds, 3 operations and %d faults", len(cells), len(acctest.Kinds), len(requestFaults))
	var all sync.WaitGroup
	free := make(chan struct{}, 60) // many wait, and the others must not become too slow for requestTimeout
	for _, cell := range cells {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			run := newFaultRun(t, cell)
			run.sim = newSimulator(t, run.w, faultArguments)
			run.run(t)
			for _, wrong := range append(run.wrong, run.sim.TakeDefects()...) {
				t.Errorf("%s: %s", cell, wrong)
			}
		})
	}
	all.Wait()
}

// faultRun is a cell with its own service.
type faultRun struct {
	cell
	w       *acctest.Env
	sim     *simulator
	others  int                       // number of objects that do not belong to the run
	before  map[string]resourceConfig // before the operation
	after   map[string]resourceConfig // after the operation
	orphans int                       // number of objects with an unknown outcome that were not imported
	wrong   []string
}

const object = "object" // the address of the resource

func newFaultRun(t *testing.T, cell cell) *faultRun {
	t.Helper()
	w := acctest.Start(t)
	_, arguments := cell.kind.Configuration(t, w)
	config := func(arguments map[string]tftypes.Value) map[string]resourceConfig {
		return map[string]resourceConfig{object: {Type: cell.kind.Type, Arguments: arguments}}
	}
	run := &faultRun{cell: cell, w: w, before: config(arguments), after: config(arguments)}
	switch cell.operation {
	case "create":
		run.before = nil
	case "delete":
		run.after = nil
	case "update":
		run.after = config(changedInPlace(t, arguments))
	}
	run.others = run.objects()
	return run
}

// run runs the operation.
func (r *faultRun) run(t *testing.T) {
	r.expectNone("before the operation", r.sim.Apply(r.before))
	r.w.ResetStats()
	r.w.Age(time.Minute) // else a 404 would not mean that the object is gone
	fault := requestFaults[r.fault]
	fault.Nth, fault.Count = r.nth, max(fault.Count, 1)
	r.w.SetRules(fault)
	failed := r.sim.Apply(r.after)[object]
	acctest.Await(t, func() bool { return r.w.Stats().InFlight == 0 }) // delayed requests are processed now
	r.w.SetRules()
	r.w.Age(time.Minute)
	r.judge(failed)
	errors := r.sim.Apply(r.after)
	if r.importExisting(errors[object]) {
		errors = r.sim.Apply(r.after)
	}
	r.expectNone("without faults", errors)
	plan := r.sim.plan(r.after, true)
	r.expectNone("the next plan", plan.errors)
	if len(plan.changes) > 0 {
		r.wrong = append(r.wrong, "the next plan is not empty")
	}
	if now, want := r.objects(), len(r.after)+r.orphans; now != want {
		r.wrong = append(r.wrong, fmt.Sprintf("%d objects in the end, want %d", now, want))
	}
}

var importCommand = regexp.MustCompile(`terraform import (tunnel_\w+)\.NAME (\S+)`)

// judge compares the error of the operation with the state and the service, and
// imports the object if the error says so.
func (r *faultRun) judge(failed string) {
	_, held := r.sim.state[object]
	unknown := strings.Contains(failed, "Could not determine whether")
	posts, objects := r.w.Stats().Requests["POST "+listEndpoint(r.kind)], r.objects()
	switch {
	case r.operation == "create" && objects > max(posts, 1):
		r.wrong = append(r.wrong, fmt.Sprintf("%d objects by %d POSTs", objects, posts))
	case r.operation == "create" && objects > 0 && !held && !unknown:
		r.wrong = append(r.wrong, fmt.Sprintf("%d objects and none in the state, and the error is %q", objects, failed))
	case r.operation == "create" && held && objects == 0:
		r.wrong = append(r.wrong, "the state has an object that does not exist")
	case r.operation != "create" && unknown:
		r.wrong = append(r.wrong, "the outcome of a creation is said to be unknown: "+failed)
	}
	another := "creates another"
	if r.kind.Secret { // only the lost response shows it
		another = "delete it in the service, and apply again"
	}
	if unknown && r.kind.RefusesDuplicates == strings.Contains(failed, another) {
		r.wrong = append(r.wrong, "the error is wrong about whether applying again creates a second object: "+failed)
	}
	if !unknown || held || objects == 0 {
		return
	}
	r.orphans = objects
	if found := importCommand.FindStringSubmatch(failed); found != nil && !strings.HasSuffix(found[2], "ID") { // or else it is a placeholder
		r.sim.Import(object, found[1], found[2])
		r.orphans--
	}
}

// importExisting imports a unique object if an error says that it already
// exists.
func (r *faultRun) importExisting(failed string) bool {
	found := importCommand.FindStringSubmatch(failed)
	if !r.kind.RefusesDuplicates || !strings.Contains(failed, "already exists") || found == nil {
		return false
	}
	r.sim.Import(object, found[1], found[2])
	r.orphans--
	return true
}

func (r *faultRun) expectNone(when string, errors map[string]string) {
	if text := errors[object]; text != "" {
		r.wrong = append(r.wrong, when+": "+text)
	}
}

// objects returns the number of objects of the kind that belong to the run.
func (r *faultRun) objects() int {
	count := -r.others
	for _, path := range r.w.Paths() {
		if kind, _ := acctest.KindAt(path); kind.Type == r.kind.Type {
			count++
		}
	}
	return count
}

// listEndpoint returns the route under which objects of a kind are created.
func listEndpoint(kind acctest.Kind) string { return kind.Path[:strings.LastIndex(kind.Path, "/")] }
