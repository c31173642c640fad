package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

// Settings say which interruptions to try.
type Settings struct {
	Command []string // what is explored, such as terraform apply
	// Environment returns that of a command other than Terraform, a client of a server.
	Environment func(*testserver.Server) []string
	Flags       []string // that repeat it on the same account
	Actors      bool     // somebody else acts, instead of interruptions
	Only        []string
	Sample      int // 0 for all
	Workers     int
	Timeout     time.Duration // of each run of the command
	Messages    io.Writer
}

// explorer is what is known of the undisturbed run, and the workers that interrupt it.
type explorer struct {
	judge   Judge
	script  *Script // nil if the plan has no changes
	workers []*worker
}

// Explore applies once without an interruption, and then with each one that the settings
// select. If the plan has no changes, the report is empty. Without a folder, it explores
// another command. It removes its copies of the folder.
func Explore(ctx context.Context, folder *copy.Folder, account []byte, settings Settings) (*Report, error) {
	x := &explorer{}
	defer func() {
		for _, w := range x.workers {
			w.stop()
		}
	}()
	began := time.Now()
	first, err := newWorker(account, folder, settings)
	if err != nil {
		return nil, err
	}
	x.workers = []*worker{first}
	report := &Report{
		Command: settings.Command, Flags: settings.Flags, Classes: map[Class]int{}, Found: []Found{},
		Baseline: traffic.Baseline{Keys: []string{}},
	}
	if err = first.start(); err == nil {
		err = x.learn(ctx, first)
	}
	if err != nil || x.script == nil {
		return report, err
	}
	kinds := Kinds
	if settings.Actors {
		kinds = nil
		for _, act := range Actors {
			kinds = append(kinds, act, act+afterwards)
		}
	}
	chosen, err := Only(Plan(x.script.Requests, kinds), settings.Only, kinds)
	if err != nil {
		return nil, err
	}
	chosen = Sample(chosen, settings.Sample)
	for len(x.workers) < min(settings.Workers, len(chosen)) {
		if folder != nil {
			if folder, err = first.folder.Another(); err != nil {
				return nil, err
			}
		}
		w, err := newWorker(account, folder, settings)
		if err != nil {
			return nil, err
		}
		x.workers = append(x.workers, w)
	}
	report.Changes, report.Requests, report.Total = x.judge.Plan.Changes, len(x.script.Requests), len(chosen)
	found, err := x.all(ctx, chosen, settings.Messages)
	for _, one := range found {
		if one != nil {
			report.add(*one)
		}
	}
	report.Duration = time.Since(began)
	return report, err
}

// learn runs twice without an interruption. The first run says which requests there are,
// and the second one must end like it.
func (x *explorer) learn(ctx context.Context, w *worker) (err error) {
	j := &x.judge
	planned := map[string]string{}
	if w.folder != nil {
		plan, err := w.folder.FirstPlan(ctx)
		if err != nil {
			return err
		}
		if j.Plan = ReadPlan(plan); j.Plan.Changes == 0 {
			return nil
		}
		planned = plan.Addresses()
	}
	if j.Before, j.Held, err = w.look(); err != nil {
		return err
	}
	w.begin(nil, Interruption{}, nil)
	j.World = w.server.World(nil)
	recording, stop := w.server.Record()
	ran, err := w.run(ctx)
	stop()
	switch {
	case err != nil:
		return err
	case !ran.Succeeded:
		return fmt.Errorf("the command fails without an interruption: %s", ran.Failure)
	case len(w.records) == 0:
		return errors.New("the command sends no requests to TUNNEL_BASE_URL")
	}
	if j.After, j.HeldAfter, err = w.look(); err != nil {
		return err
	}
	j.Traffic = recording.Follow(recording.Requests(), j.World)
	if w.folder == nil {
		j.withoutPlan(w.records)
	}
	maps.Copy(j.Held, planned)
	x.script = Learn(j.Held, j.HeldAfter, w.records, w.folder == nil)
	again, err := x.interrupted(ctx, w, Interruption{})
	if err == nil && again.class() != Harmless {
		err = fmt.Errorf("two runs from the same account leave different objects, or the second one does not converge (%s): explore needs an "+
			"apply or a command that does the same each time, and after which the plan is empty", cmp.Or(again.Failure, string(again.class())))
	}
	return err
}

// all tries interruptions with all workers. After the context ends, the others are nil.
func (x *explorer) all(ctx context.Context, chosen []Interruption, messages io.Writer) ([]*Found, error) {
	group, running := errgroup.WithContext(ctx)
	var next atomic.Int64
	var mutex sync.Mutex
	found, done, printed := make([]*Found, len(chosen)), 0, time.Now()
	for _, w := range x.workers {
		group.Go(func() error {
			for running.Err() == nil {
				at := int(next.Add(1)) - 1
				if at >= len(chosen) {
					break
				}
				one, err := x.interrupted(running, w, chosen[at])
				if err != nil {
					return fmt.Errorf("%s: %w", chosen[at], err)
				}
				mutex.Lock()
				found[at], done = one, done+1
				if time.Since(printed) >= 10*time.Second || done == len(chosen) {
					printed = time.Now()
					fmt.Fprintf(messages, "%d of %d interruptions\n", done, len(chosen))
				}
				mutex.Unlock()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil && ctx.Err() == nil {
		return nil, err
	}
	return found, nil
}

const (
	// maxRounds is the maximum number of imports and runs.
	maxRounds = 10
	// maxTries is how often it goes on, the last time to see that the plan is empty.
	maxTries = 4
)

// interrupted runs with an interruption, and goes on as a person does: it runs the
// imports that errors advise, and runs again until nothing is left to do. The
// interruption may be what somebody else does; an empty one is none.
func (x *explorer) interrupted(ctx context.Context, w *worker, target Interruption) (*Found, error) {
	if err := w.start(); err != nil {
		return nil, err
	}
	names := x.script.Names()
	var other *actor
	if act, acts := target.Kind.act(); acts {
		other = &actor{server: w.server, act: act}
		other.second = func(saved bool) (map[string]string, []copy.Diagnostic, error) { return w.second(ctx, saved) }
	}
	w.begin(names, target, other)
	last, err := w.run(ctx)
	if err == nil && other != nil {
		err = other.err
	}
	f := &Found{Interruption: target, Reached: w.end() || target.Kind == ""}
	if err == nil && w.folder != nil {
		f.TornState, err = w.folder.RestoreBackup()
	}
	if err != nil {
		return nil, err
	}
	if !f.Reached || other != nil && !other.acted() {
		f.Reached = false
		return f, nil
	}
	f.Succeeded = last.Succeeded
	printed, said := last.Errors, map[string]bool{}
	between, _, err := w.look()
	if err != nil {
		return nil, err
	}
	if other == nil {
		f.Opened, f.Missing = x.judge.Noticed(w.server.Recorded())
		f.Missing = append(f.Missing, x.judge.Missing(between, names.known)...)
	} else {
		printed = append(printed, other.errors...)
	}
	for tries := 0; !last.Done() && tries < maxTries && f.Applies < maxRounds; tries++ {
		if err := w.minuteLater(); err != nil {
			return nil, err
		}
		imports := slices.DeleteFunc(Imports(last.Errors), func(i Import) bool { return slices.Contains(f.Imports, i) })
		if len(imports) > 0 {
			f.Imports, tries = append(f.Imports, imports...), 0
		}
		clear(names.seen)
		if last, err = w.again(ctx, imports); err != nil {
			return nil, err
		}
		if !last.Done() || w.folder == nil { // it did more than to see that the plan is empty
			f.Applies++
		}
		printed = append(printed, last.Errors...)
		for _, change := range last.Planned {
			said[change.Address] = true
		}
	}
	now, held, err := w.look()
	if err != nil {
		return nil, err
	}
	f.Converged, f.Failure = last.Done(), last.Failure
	if w.folder == nil {
		var differs []string
		if held, differs = x.judge.alike(now); len(differs) > 0 && f.Converged {
			f.Converged, f.Failure = false, "it ends with 0, but missing or different: "+strings.Join(differs, ", ")
		}
	}
	if other != nil {
		other.judge(f, &x.judge, now, held, names.known, said)
		maps.Copy(held, other.known)
	}
	f.Left = x.judge.Left(now, held, names.known)
	f.errors(printed)
	f.Unplanned = slices.Concat(f.Unplanned, x.judge.Unplanned(between, other), x.judge.Unplanned(now, other))
	slices.Sort(f.Unplanned)
	f.Unplanned = slices.Compact(f.Unplanned)
	return f, nil
}
