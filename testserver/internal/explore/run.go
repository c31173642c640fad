package explore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Settings say which interruptions to try.
type Settings struct {
	Command  []string // what is explored, such as terraform apply
	Flags    []string // that repeat it on the same account
	Only     []string
	Sample   int // 0 for all
	Workers  int
	Messages io.Writer
}

// explorer is what is known of the undisturbed apply, and the workers that interrupt it.
type explorer struct {
	judge   Judge
	script  *Script
	workers []*worker
}

// Explore applies once without an interruption, and then with each one that the settings
// select. It removes the folder and all its copies. If the plan has no changes, the
// report is empty.
func Explore(ctx context.Context, folder *copy.Folder, account []byte, settings Settings) (*Report, error) {
	x := &explorer{}
	defer func() {
		for _, w := range x.workers {
			w.stop()
		}
	}()
	began := time.Now()
	first, err := newWorker(account, folder)
	if err != nil {
		folder.Remove()
		return nil, err
	}
	x.workers = []*worker{first}
	report := &Report{Command: settings.Command, Flags: settings.Flags, Classes: map[Class]int{}, Found: []Found{}}
	if err := x.learn(ctx, first); err != nil || x.judge.Plan.Changes == 0 {
		return report, err
	}
	all := Plan(x.script.Requests)
	chosen, err := Only(all, settings.Only)
	if err != nil {
		return nil, err
	}
	chosen = Sample(chosen, settings.Sample)
	for len(x.workers) < min(settings.Workers, len(chosen)) {
		another, err := folder.Another()
		if err != nil {
			return nil, err
		}
		w, err := newWorker(account, another)
		if err != nil {
			another.Remove()
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

// learn plans, and applies the plan without an interruption.
func (x *explorer) learn(ctx context.Context, w *worker) error {
	if err := w.start(); err != nil {
		return err
	}
	w.begin(nil, nil)
	events, err := w.folder.Plan(ctx, w.planned)
	if err != nil {
		return err
	}
	if failure := copy.Failure(events...); failure != "" {
		return errors.New("the first plan fails: " + problem.Escape(failure))
	}
	plan, err := w.folder.Check(ctx, w.planned)
	if err != nil {
		return err
	}
	if x.judge.Plan = ReadPlan(plan); x.judge.Plan.Changes == 0 {
		return nil
	}
	before, err := w.look()
	if err != nil {
		return err
	}
	x.judge.Before, x.judge.Held = before.account, before.held
	maps.Copy(x.judge.Held, x.judge.Plan.Addresses)
	w.begin(nil, nil)
	undisturbed, err := w.run(ctx)
	if err != nil {
		return err
	}
	if !undisturbed.succeeded {
		return fmt.Errorf("the apply fails without an interruption: %s", undisturbed.failure)
	}
	after, err := w.look()
	if err != nil {
		return err
	}
	x.judge.After, x.judge.HeldAfter = after.account, after.held
	x.script = Learn(x.judge.Held, x.judge.HeldAfter, w.records)
	again, err := w.again(ctx, nil)
	if err == nil && !again.done {
		err = errors.New("the apply does not converge without an interruption: the next plan is not empty")
	}
	return err
}

// all tries interruptions with all workers. After the context ends, the others are nil.
func (x *explorer) all(ctx context.Context, chosen []Interruption, messages io.Writer) ([]*Found, error) {
	running, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int, len(chosen))
	for at := range chosen {
		next <- at
	}
	close(next)
	var mutex sync.Mutex
	var group sync.WaitGroup
	found, done, began, printed := make([]*Found, len(chosen)), 0, time.Now(), time.Now()
	for _, w := range x.workers {
		group.Go(func() {
			for at := range next {
				if running.Err() != nil {
					return
				}
				one, err := x.interrupted(running, w, chosen[at])
				if err != nil {
					cancel(fmt.Errorf("%s: %w", chosen[at], err))
					return
				}
				mutex.Lock()
				found[at], done = one, done+1
				if time.Since(printed) >= 10*time.Second || done == len(chosen) {
					printed = time.Now()
					left := time.Since(began) / time.Duration(done) * time.Duration(len(chosen)-done)
					fmt.Fprintf(messages, "%d of %d interruptions, about %s left\n", done, len(chosen), left.Round(time.Second))
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	if err := context.Cause(running); err != nil && ctx.Err() == nil {
		return nil, err
	}
	return found, nil
}

const (
	// listLag is longer than the provider waits for an object in a list.
	listLag = 10 * time.Second
	// maxRounds is the maximum number of imports and applies.
	maxRounds = 10
	// maxTries is how often it goes on, the last time to see that the plan is empty.
	maxTries = 4
)

// interrupted applies with an interruption, and goes on as a person does: it runs the
// imports that errors advise, and applies again until nothing is left to do.
func (x *explorer) interrupted(ctx context.Context, w *worker, target Interruption) (*Found, error) {
	if err := w.start(); err != nil {
		return nil, err
	}
	if target.Kind == LostUnlisted {
		w.server.SetFaults(testserver.Fault{Kind: testserver.FaultLagList, Delay: listLag})
	}
	names := x.script.Names()
	w.begin(names, &target)
	last, err := w.run(ctx)
	if err != nil {
		return nil, err
	}
	w.server.SetFaults()
	f := &Found{Interruption: target, Reached: w.end(), Succeeded: last.succeeded, TornState: last.torn}
	if !f.Reached {
		return f, nil
	}
	between, err := w.look()
	if err != nil {
		return nil, err
	}
	f.Missing = x.judge.Missing(between.account, names.Of)
	told := last.told
	for tries := 0; !last.done && tries < maxTries && f.Applies < maxRounds; tries++ {
		if err := w.minuteLater(); err != nil {
			return nil, err
		}
		imports := slices.DeleteFunc(Imports(last.told.Errors), func(i Import) bool { return slices.Contains(f.Imports, i) })
		if len(imports) > 0 {
			f.Imports, tries = append(f.Imports, imports...), 0
		}
		names.Again()
		if last, err = w.again(ctx, imports); err != nil {
			return nil, err
		}
		told.Errors = append(told.Errors, last.told.Errors...)
		told.Progress = append(told.Progress, last.told.Progress...)
		if last.changed {
			f.Applies++
		}
	}
	now, err := w.look()
	if err != nil {
		return nil, err
	}
	f.Converged, f.Failure = last.done, last.failure
	f.Left = x.judge.Left(now.account, now.held, names.Of, told)
	f.Unplanned = slices.Concat(x.judge.Unplanned(between.account), x.judge.Unplanned(now.account))
	slices.Sort(f.Unplanned)
	f.Unplanned = slices.Compact(f.Unplanned)
	return f, nil
}
