package explore

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// interrupted applies with an interruption, and looks at what follows: going on, and the
// same after the imports that errors advise.
func (x *explorer) interrupted(ctx context.Context, w *worker, target Interruption) (*Found, error) {
	if err := w.start(); err != nil {
		return nil, err
	}
	if target.Kind == LostUnlisted {
		w.server.SetFaults(testserver.Fault{Kind: testserver.FaultLagList, Delay: listLag})
	}
	names := x.script.Names()
	w.begin(names, &target)
	first, err := w.run(ctx)
	if err != nil {
		return nil, err
	}
	w.server.SetFaults()
	found := &Found{Interruption: target, Reached: w.end(), Succeeded: first.succeeded, TornState: first.torn}
	if !found.Reached {
		return found, nil
	}
	between, err := w.look()
	if err != nil {
		return nil, err
	}
	found.Missing = x.judge.Missing(between.account, names.Of)
	unplanned := x.judge.Unplanned(between.account)
	_ = w.snapshot(http.MethodDelete, "between") // of the interruption before
	if err := w.snapshot(http.MethodPost, "between"); err != nil {
		return nil, err
	}
	var advised bool
	if found.Naive, advised, err = x.goOn(ctx, w, names, first, false); err != nil {
		return nil, err
	}
	found.Naive.Unplanned = slices.Compact(slices.Sorted(slices.Values(slices.Concat(unplanned, found.Naive.Unplanned))))
	if !advised || found.Class() == Again || found.Class() == Harmless {
		return found, nil
	}
	if err := w.snapshot(http.MethodPost, "between/restore"); err != nil {
		return nil, err
	}
	if err := w.folder.Restore(between.state); err != nil {
		return nil, err
	}
	found.Advised, _, err = x.goOn(ctx, w, names, first, true)
	return found, err
}

const (
	// listLag is longer than the provider waits for an object in a list.
	listLag = 10 * time.Second
	// maxRounds is the maximum number of imports and runs.
	maxRounds = 10
	// maxTries is how often it goes on, the last time to see that the plan is empty.
	maxTries = 4
)

// goOn goes on until nothing is left to do. If advised, it first runs the imports that
// errors advise, as long as there are new ones. It reports whether there was such advice.
func (x *explorer) goOn(ctx context.Context, w *worker, names *Names, first *ran, advised bool) (r *Recovery, advice bool, err error) {
	r = &Recovery{}
	told, last := first.told, first
	for tries := 0; !last.done && tries < maxTries && r.Applies < maxRounds; tries++ {
		if err := w.minuteLater(); err != nil {
			return nil, false, err
		}
		imports := Imports(last.told.Errors)
		advice = advice || len(imports) > 0
		imports = slices.DeleteFunc(imports, func(i Import) bool { return !advised || slices.Contains(r.Imports, i) })
		if len(imports) > 0 {
			r.Imports = append(r.Imports, imports...)
			tries = 0
		}
		names.Again()
		if last, err = w.again(ctx, imports); err != nil {
			return nil, false, err
		}
		told.Errors = append(told.Errors, last.told.Errors...)
		told.Progress = append(told.Progress, last.told.Progress...)
		if last.changed {
			r.Applies++
		}
	}
	now, err := w.look()
	if err != nil {
		return nil, false, err
	}
	r.Converged, r.Failure = last.done, last.failure
	r.Left = x.judge.Left(now.account, now.held, names.Of, told)
	r.Unplanned = x.judge.Unplanned(now.account)
	return r, advice, nil
}
