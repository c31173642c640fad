package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/explore"
)

// explorer is what is known of the undisturbed run, and the workers that interrupt it.
type explorer struct {
	judge   explore.Judge
	script  *explore.Script // nil if there is nothing to do
	kinds   []explore.Kind
	words   *explore.Words
	tries   int // of going on after an interruption
	workers []*worker
	account []byte
}

// prepare runs once without an interruption.
func prepare(ctx context.Context, account []byte, open func(*stage) (subject, error)) (*explorer, error) {
	w, err := newWorker(ctx, account, open)
	if err != nil {
		return nil, err
	}
	x := &explorer{account: account, workers: []*worker{w}}
	if err = w.start(); err == nil {
		err = w.learn(ctx, x)
	}
	if err != nil {
		x.stop()
	}
	return x, err
}

func (x *explorer) stop() {
	for _, w := range x.workers {
		w.stop()
	}
}

// all explores the interruptions that the flags select.
func (x *explorer) all(ctx context.Context, f *exploreFlags, messages io.Writer) (*explore.Report, error) {
	if x.script == nil {
		return &explore.Report{Command: f.command, Flags: f.source(), Words: x.words}, nil
	}
	chosen, err := explore.Only(explore.Plan(x.script.Requests, x.kinds), f.only)
	if err != nil {
		return nil, notRun{err, codeUsage}
	}
	chosen = explore.Sample(chosen, f.sample)
	for len(x.workers) < min(f.workers, len(chosen)) {
		w, err := newWorker(ctx, x.account, x.workers[0].another)
		if err != nil {
			return nil, err
		}
		x.workers = append(x.workers, w)
	}
	began := time.Now()
	report := &explore.Report{
		Command: f.command, Flags: f.source(), Words: x.words,
		Changes: x.judge.Plan.Changes, Requests: len(x.script.Requests), Total: len(chosen),
	}
	running, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mutex sync.Mutex
	next, shown := 0, progress{messages: messages, began: began, printed: began}
	found := make([]*explore.Found, len(chosen))
	var group sync.WaitGroup
	for _, w := range x.workers {
		group.Go(func() {
			for {
				mutex.Lock()
				at := next
				next++
				mutex.Unlock()
				if at >= len(chosen) || running.Err() != nil {
					return
				}
				one, err := w.interrupted(running, x, chosen[at])
				if err != nil {
					cancel(fmt.Errorf("%s: %w", chosen[at], err))
					return
				}
				mutex.Lock()
				found[at] = one
				done := len(found) - len(slices.DeleteFunc(slices.Clone(found), func(f *explore.Found) bool { return f != nil }))
				shown.print(done, len(chosen))
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	if err := context.Cause(running); err != nil && ctx.Err() == nil {
		return nil, err
	}
	for _, one := range found {
		if one != nil {
			report.Found = append(report.Found, *one)
		}
	}
	report.Duration = time.Since(began)
	return report, nil
}
