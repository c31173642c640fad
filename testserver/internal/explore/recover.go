package explore

import (
	"context"
	"slices"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

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
