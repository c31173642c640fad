package explore

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
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
	first, err := newWorker(account, settings.Timeout, func(s *stage) (subject, error) {
		if folder == nil {
			return &program{stage: s, command: settings.Command, environment: settings.Environment}, nil
		}
		return newConfiguration(s, folder), nil
	})
	if err != nil {
		return nil, err
	}
	x.workers = []*worker{first}
	report := &Report{Command: settings.Command, Flags: settings.Flags, Classes: map[Class]int{}, Found: []Found{}, Keys: []string{}}
	if err = first.start(); err == nil {
		err = first.learn(ctx, x)
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
		w, err := newWorker(account, settings.Timeout, first.another)
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
	found, done, printed := make([]*Found, len(chosen)), 0, time.Now()
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
					fmt.Fprintf(messages, "%d of %d interruptions\n", done, len(chosen))
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
	// maxRounds is the maximum number of imports and runs.
	maxRounds = 10
	// maxTries is how often it goes on, the last time to see that the plan is empty.
	maxTries = 4
)

// interrupted runs with an interruption, and goes on as a person does: it runs the
// imports that errors advise, and runs again until nothing is left to do. The
// interruption may be what somebody else does.
func (x *explorer) interrupted(ctx context.Context, w *worker, target Interruption) (*Found, error) {
	if err := w.start(); err != nil {
		return nil, err
	}
	names := x.script.Names()
	var other *actor
	if act, acts := target.Kind.act(); acts {
		other = &actor{server: w.server, act: act}
		other.second = func(saved bool) (*look, []Message, error) { return w.second(ctx, saved) }
	}
	w.begin(names, &target, other)
	last, err := w.run(ctx)
	if err == nil && other != nil {
		err = other.err
	}
	if err != nil {
		return nil, err
	}
	f := &Found{Interruption: target, Reached: w.end(), Succeeded: last.succeeded, TornState: last.torn}
	if !f.Reached || other != nil && !other.acted() {
		f.Reached = false
		return f, nil
	}
	printed, said := last.errors, map[string]bool{}
	between, err := w.look()
	if err != nil {
		return nil, err
	}
	if other == nil {
		f.Opened, f.Missing = x.judge.Noticed(w.server.Recorded())
		f.Missing = append(f.Missing, x.judge.Missing(between.account, names.Of)...)
	} else {
		printed = append(printed, other.errors...)
	}
	for tries := 0; !last.done && tries < maxTries && f.Applies < maxRounds; tries++ {
		if err := w.minuteLater(); err != nil {
			return nil, err
		}
		imports := slices.DeleteFunc(Imports(last.errors), func(i Import) bool { return slices.Contains(f.Imports, i) })
		if len(imports) > 0 {
			f.Imports, tries = append(f.Imports, imports...), 0
		}
		names.Again()
		if last, err = w.again(ctx, imports); err != nil {
			return nil, err
		}
		if last.changed {
			f.Applies++
		}
		printed = append(printed, last.errors...)
		for _, address := range last.said {
			said[address] = true
		}
	}
	now, err := w.look()
	if err != nil {
		return nil, err
	}
	f.Failure = cmp.Or(last.failure, now.failure)
	f.Converged = last.done && now.failure == ""
	held := maps.Clone(now.held)
	if other != nil {
		maps.Copy(held, other.known)
		other.judge(f, &x.judge, now, names.Of, said)
	}
	f.Left = x.judge.Left(now.account, held, names.Of)
	f.errors(printed)
	f.Unplanned = slices.Concat(f.Unplanned, x.judge.Unplanned(between.account, other), x.judge.Unplanned(now.account, other))
	slices.Sort(f.Unplanned)
	f.Unplanned = slices.Compact(f.Unplanned)
	return f, nil
}
