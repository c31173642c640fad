package chaos

import (
	"fmt"
	"maps"
	"math/rand/v2"
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
			sim.Apply(run.only(run.before))
			run.w.ResetStats()
			sim.Apply(run.only(run.after))
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

// TestRequestFaults_everyRequest runs each operation with each fault at each of
// its requests, follows the instructions in the error, and applies again
// without faults. Without TF_ACC, it runs a tenth of the cells.
func TestRequestFaults_everyRequest(t *testing.T) {
	t.Parallel()
	cells := cells(t, acctest.Kinds)
	if os.Getenv("TF_ACC") == "" {
		random := rand.New(rand.NewPCG(1, 2))
		random.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		cells = cells[:len(cells)/10]
	}
	t.Logf("%d cells of %d kinds, 3 operations and %d faults", len(cells), len(acctest.Kinds), len(requestFaults))
	var all sync.WaitGroup
	free := make(chan struct{}, 40) // many wait, and the others must not become too slow for requestTimeout
	for _, cell := range cells {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			run := newFaultRun(t, cell)
			sim := newSimulator(t, run.w, faultArguments)
			runFaults(t, sim, []*faultRun{run})
			run.wrong = append(run.wrong, sim.TakeFindings()...)
			run.report(t)
		})
	}
	all.Wait()
}

// TestAccRequestFaults_eachShape runs the cells of one kind of each shape with
// real Terraform. One Terraform run covers all cells of a fault, each with its
// own service. Without -soak, it tests only two faults: one with an unknown
// outcome and an outage.
func TestAccRequestFaults_eachShape(t *testing.T) {
	t.Parallel()
	acctest.Program(t)
	groups := map[string][]cell{}
	for _, cell := range cells(t, kindsOf(t, shapes)) {
		group := cell.fault
		if !*soak && group != "504 after processing" && group != "503 to all until the end" {
			continue
		}
		if requestFaults[cell.fault].Count > 1 && cell.operation != "create" {
			// The fault can fail the plan, and then Terraform applies none of the other
			// cells.
			group += fmt.Sprint(" from request ", cell.nth, " on")
		}
		groups[group] = append(groups[group], cell)
	}
	for name, cells := range groups {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			terraform := newRealTerraform(t, acctest.Start(t), "-parallelism=100")
			terraform.arguments = faultArguments
			var runs []*faultRun
			for i, cell := range cells {
				run := newFaultRun(t, cell)
				run.address = fmt.Sprint("cell", i)
				terraform.services[run.address] = run.w
				runs = append(runs, run)
			}
			runFaults(t, terraform, runs)
			t.Logf("%d cells", len(cells))
			for _, run := range runs {
				run.report(t)
			}
		})
	}
}

// faultRun is a cell with its own service.
type faultRun struct {
	cell
	w       *acctest.Env
	address string
	others  int             // number of objects that do not belong to the run
	before  *resourceConfig // configured resource before the operation; nil if there is none
	after   *resourceConfig // configured resource after the operation; nil if there is none
	orphans int             // number of objects with an unknown outcome that were not imported
	wrong   []string
}

func newFaultRun(t *testing.T, cell cell) *faultRun {
	t.Helper()
	w := acctest.Start(t)
	_, arguments := cell.kind.Configuration(t, w)
	resource := resourceConfig{Type: cell.kind.Type, Arguments: arguments}
	run := &faultRun{cell: cell, w: w, address: "object", before: &resource, after: &resource}
	switch cell.operation {
	case "create":
		run.before = nil
	case "delete":
		run.after = nil
	case "update":
		updated := resource
		updated.Arguments = maps.Clone(arguments)
		if _, ok := arguments["description"]; ok {
			updated.Arguments["description"] = acctest.Text("updated")
		} else if cell.kind.Module() {
			updated.Arguments["enabled"] = tftypes.NewValue(tftypes.Bool, arguments["enabled"].IsNull())
		}
		run.after = &updated
	}
	run.others = run.objects()
	return run
}

// only returns a configuration with only the given resource.
func (r *faultRun) only(resource *resourceConfig) map[string]resourceConfig {
	if resource == nil {
		return nil
	}
	return map[string]resourceConfig{r.address: *resource}
}

// runFaults runs the operations of all runs at once.
func runFaults(t *testing.T, e engine, runs []*faultRun) {
	before, after := map[string]resourceConfig{}, map[string]resourceConfig{}
	for _, r := range runs {
		maps.Copy(before, r.only(r.before))
		maps.Copy(after, r.only(r.after))
	}
	errors := e.Apply(before)
	for _, r := range runs {
		r.expectNone("before the operation", errors)
		r.w.ResetStats()
		r.w.Age(time.Minute) // else a 404 would not mean that the object is gone
		fault := requestFaults[r.fault]
		fault.Nth, fault.Count = r.nth, max(fault.Count, 1)
		r.w.SetFaults(fault)
	}
	errors = e.Apply(after)
	held := e.ObjectState()
	for _, r := range runs {
		acctest.Await(t, func() bool { return r.w.Stats().InFlight == 0 }) // delayed requests are processed now
		r.w.SetFaults()
		r.w.Age(time.Minute)
		_, ok := held[r.address]
		r.judge(e, errors[r.address], ok)
	}
	errors = e.Apply(after)
	imported := false
	for _, r := range runs {
		imported = r.importExisting(e, errors[r.address]) || imported
	}
	if imported {
		errors = e.Apply(after)
	}
	plan := e.Plan(after)
	for _, r := range runs {
		r.expectNone("without faults", errors)
		r.expectNone("the next plan", plan.Errors)
		if slices.Contains(plan.Changes, r.address) {
			r.wrong = append(r.wrong, "the next plan is not empty")
		}
		if now, want := r.objects(), len(r.only(r.after))+r.orphans; now != want {
			r.wrong = append(r.wrong, fmt.Sprintf("%d objects in the end, want %d", now, want))
		}
	}
}

var importCommand = regexp.MustCompile(`terraform import (tunnel_\w+)\.NAME (\S+)`)

// judge compares the error of the operation with the state and the service, and
// imports the object if the error says so.
func (r *faultRun) judge(e engine, failed string, held bool) {
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
	if unknown && r.kind.RefusesDuplicates == strings.Contains(failed, "creates another") {
		r.wrong = append(r.wrong, "the error is wrong about whether applying again creates a second object: "+failed)
	}
	if !unknown || held || objects == 0 {
		return
	}
	r.orphans = objects
	if found := importCommand.FindStringSubmatch(failed); found != nil && !strings.HasSuffix(found[2], "ID") { // or else it is a placeholder
		e.Import(r.address, found[1], found[2])
		r.orphans--
	}
}

// importExisting imports a unique object if an error says that it already
// exists.
func (r *faultRun) importExisting(e engine, failed string) bool {
	found := importCommand.FindStringSubmatch(failed)
	if !r.kind.RefusesDuplicates || !strings.Contains(failed, "already exists") || found == nil {
		return false
	}
	e.Import(r.address, found[1], found[2])
	r.orphans--
	return true
}

func (r *faultRun) expectNone(when string, errors map[string]string) {
	if text := errors[r.address] + errors[""]; text != "" {
		r.wrong = append(r.wrong, when+": "+text)
	}
}

func (r *faultRun) report(t *testing.T) {
	t.Helper()
	for _, wrong := range r.wrong {
		t.Errorf("%s: %s", r.cell, wrong)
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
