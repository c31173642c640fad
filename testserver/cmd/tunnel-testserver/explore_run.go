package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/explore"
)

// explorer is what is known of the undisturbed apply, and the workers that interrupt it.
type explorer struct {
	judge   explore.Judge
	script  *explore.Script
	workers []*worker
	account []byte
}

// prepare plans, and applies once without an interruption.
func prepare(ctx context.Context, space *workspace, account []byte) (*explorer, error) {
	w, err := newWorker(ctx, space, account)
	if err != nil {
		return nil, err
	}
	x := &explorer{account: account, workers: []*worker{w}}
	if err := x.learn(ctx, w); err != nil {
		x.stop()
		return nil, err
	}
	return x, nil
}

// learn finds out what the apply does if nothing interrupts it.
func (x *explorer) learn(ctx context.Context, w *worker) error {
	err := w.restore()
	if err != nil {
		return err
	}
	if x.judge.Plan, err = w.plan(ctx); err != nil || x.judge.Plan.Changes == 0 {
		return err
	}
	before, err := w.look()
	if err != nil {
		return err
	}
	x.judge.Before, x.judge.Held = before.account, before.held
	maps.Copy(x.judge.Held, x.judge.Plan.Addresses)
	w.stage.begin(nil, nil)
	undisturbed, err := w.apply(ctx, planFile)
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
	x.script = explore.Learn(x.judge.Held, x.judge.HeldAfter, w.stage.records)
	again, err := w.applyAgain(ctx)
	if err == nil && (again.changes != 0 || !again.succeeded) {
		err = errors.New("the apply does not converge without an interruption: the next plan is not empty")
	}
	return err
}

func (x *explorer) stop() {
	for _, w := range x.workers {
		w.stop()
	}
}

// all explores the interruptions that the flags select.
func (x *explorer) all(ctx context.Context, f *exploreFlags, messages io.Writer) (*explore.Report, error) {
	if x.judge.Plan.Changes == 0 {
		return &explore.Report{Command: f.command}, nil
	}
	chosen, err := explore.Only(explore.Plan(x.script.Requests), f.only)
	if err != nil {
		return nil, err
	}
	chosen = explore.Sample(chosen, f.sample)
	for len(x.workers) < min(f.workers, len(chosen)) {
		space, err := x.workers[0].space.another()
		if err != nil {
			return nil, err
		}
		defer space.remove()
		w, err := newWorker(ctx, space, x.account)
		if err != nil {
			return nil, err
		}
		x.workers = append(x.workers, w)
	}
	began := time.Now()
	report := &explore.Report{
		Command: f.command, Changes: x.judge.Plan.Changes, Requests: len(x.script.Requests), Total: len(chosen),
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
