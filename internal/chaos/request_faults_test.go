package chaos

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// requestTimeout is that of the provider: long enough for a busy machine. A
// delayed answer comes later.
const requestTimeout = 10 * time.Second

// requestFaults are what can happen to a request.
var requestFaults = map[string]testserver.Fault{
	"reset before":             {Kind: testserver.FaultResetBefore},
	"reset after":              {Kind: testserver.FaultResetAfter},
	"503":                      {Kind: testserver.Fault503},
	"504 after processing":     {Kind: testserver.Fault504After},
	"proxy's 502":              {Kind: testserver.FaultHTML, Status: 502},
	"truncated":                {Kind: testserver.FaultTruncate},
	"later than the timeout":   {Kind: testserver.FaultDelay, Delay: requestTimeout + time.Second},
	"429":                      {Kind: testserver.Fault429, RetryAfter: "none"},
	"429 with Retry-After":     {Kind: testserver.Fault429, RetryAfter: "1"},
	"503 to all until the end": {Kind: testserver.Fault503, Count: 1000},
}

// A cell is one operation on one kind of object with one fault at one request.
type cell struct {
	kind      acctest.Kind
	operation string
	nth       int
	fault     string
}

// TestRequestFaults_everyRequest repeats each operation with each fault at each of
// its requests, does what the error says, and applies without faults. Without
// TF_ACC, it takes a tenth of them.
func TestRequestFaults_everyRequest(t *testing.T) {
	t.Parallel()
	var cells []cell
	for _, kind := range acctest.Kinds {
		for _, operation := range []string{"create", "update", "delete"} {
			requests := newFaultRun(t, kind, operation).count()
			if requests == 0 && (operation != "update" || kind.Type != "tunnel_event_source") {
				t.Errorf("%s of %s sends no request", operation, kind.Type)
			}
			for nth := range requests {
				for fault := range requestFaults {
					cells = append(cells, cell{kind, operation, nth + 1, fault})
				}
			}
		}
	}
	if os.Getenv("TF_ACC") == "" {
		random := rand.New(rand.NewPCG(1, 2))
		random.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		cells = cells[:len(cells)/10]
	}
	t.Logf("%d cells of %d kinds, 3 operations and %d faults", len(cells), len(acctest.Kinds), len(requestFaults))
	var all sync.WaitGroup
	free := make(chan struct{}, 200) // most of the time, they wait
	for _, cell := range cells {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			for _, wrong := range newFaultRun(t, cell.kind, cell.operation).run(cell) {
				t.Errorf("%s of %s, %s at request %d: %s", cell.operation, cell.kind.Type, cell.fault, cell.nth, wrong)
			}
		})
	}
	all.Wait()
}

// A faultRun is one operation on an object of a service of its own.
type faultRun struct {
	w         *acctest.World
	core      *acctest.Core
	kind      acctest.Kind
	keys      map[string]string // of the object that the configuration was generated from
	operation string
	others    int // objects that are not the run's
	before    map[string]acctest.Resource
	after     map[string]acctest.Resource
}

const address = "the object"

func newFaultRun(t *testing.T, kind acctest.Kind, operation string) *faultRun {
	t.Helper()
	w := acctest.Start(t)
	keys, arguments := kind.Configuration(t, w)
	core := w.NewCore(t, map[string]tftypes.Value{"request_timeout": acctest.Text(requestTimeout.String()), "max_retries": acctest.Number(1)})
	resource := acctest.Resource{Type: kind.Type, Arguments: arguments}
	with := map[string]acctest.Resource{address: resource}
	run := &faultRun{w: w, core: core, kind: kind, keys: keys, operation: operation, before: with, after: with}
	switch operation {
	case "create":
		run.before = nil
	case "delete":
		run.after = nil
	case "update":
		resource.Arguments = maps.Clone(arguments)
		if _, ok := resource.Arguments["description"]; ok {
			resource.Arguments["description"] = acctest.Text("updated")
		} else if kind.Module() {
			resource.Arguments["enabled"] = tftypes.NewValue(tftypes.Bool, resource.Arguments["enabled"].IsNull())
		}
		run.after = map[string]acctest.Resource{address: resource}
	}
	run.others = run.objects()
	if outcome := core.Apply(run.before); len(outcome.Errors) > 0 {
		t.Errorf("%s: %v", kind.Type, outcome.Errors)
	}
	w.ResetStats()
	return run
}

// count runs without faults and returns how many requests that takes.
func (r *faultRun) count() int {
	r.core.Apply(r.after)
	return r.w.Stats().Total
}

var importCommand = regexp.MustCompile(`terraform import (tunnel_\w+)\.NAME (\S+)`)

// run returns what went wrong.
func (r *faultRun) run(cell cell) []string {
	fault := requestFaults[cell.fault]
	fault.Nth, fault.Count = cell.nth, max(fault.Count, 1)
	r.w.SetFaults(fault)
	outcome := r.core.Apply(r.after)
	r.w.SetFaults()
	if fault.Delay > 0 {
		time.Sleep(2 * time.Second) // what is late has arrived
	}

	var wrong []string
	failed := outcome.Errors[address]
	unknown := strings.Contains(failed, "Could not determine whether")
	posts := r.w.Stats().Requests["POST "+listEndpoint(r.kind)]
	objects, held := r.objects(), len(r.core.State)
	switch {
	case r.operation == "create" && objects > max(posts, 1):
		wrong = append(wrong, fmt.Sprintf("%d objects by %d POSTs", objects, posts))
	case r.operation == "create" && objects > held && !unknown:
		wrong = append(wrong, fmt.Sprintf("%d objects and %d in the state, and the error is %q", objects, held, failed))
	case r.operation == "create" && held > objects:
		wrong = append(wrong, "the state has an object that does not exist")
	case r.operation != "create" && unknown:
		wrong = append(wrong, "the outcome of a creation is said to be unknown: "+failed)
	}
	orphans := objects - held
	if unknown {
		if found := importCommand.FindStringSubmatch(failed); found != nil && found[2] != "ID" && orphans > 0 {
			r.core.Import(address, found[1], found[2])
			orphans--
		}
	}
	last := r.core.Apply(r.after)
	if text := last.Errors[address]; r.kind.Unique() && strings.Contains(text, "already exists") {
		if found := importCommand.FindStringSubmatch(text); found != nil {
			r.core.Import(address, found[1], found[2])
			orphans--
		}
		last = r.core.Apply(r.after)
	}
	if len(last.Errors) > 0 {
		wrong = append(wrong, fmt.Sprintf("without faults: %v", last.Errors))
	}
	if again := r.core.Plan(r.after); len(again.Changes())+len(again.Errors()) > 0 {
		wrong = append(wrong, fmt.Sprintf("the next plan is not empty: %v %v", again.Changes(), again.Errors()))
	}
	want := len(r.after)
	if unknown {
		want += max(orphans, 0)
	}
	if now := r.objects(); now != want {
		wrong = append(wrong, fmt.Sprintf("%d objects in the end, want %d", now, want))
	}
	return append(wrong, r.core.Defects...)
}

// objects is how many objects of the kind there are.
func (r *faultRun) objects() int {
	count := -r.others
	for _, path := range r.w.Paths() {
		if kind, _ := acctest.KindAt(path); kind.Type == r.kind.Type {
			count++
		}
	}
	return count
}

// listEndpoint is the path that an object is created under, as the contract has it.
func listEndpoint(kind acctest.Kind) string { return kind.Path[:strings.LastIndex(kind.Path, "/")] }
